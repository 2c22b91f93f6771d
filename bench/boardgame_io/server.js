// boardgame.io's own server, as its documentation starts it, with its default storage (memory).
const { Server, Origins } = require("boardgame.io/server");
const { Meadow } = require("./game.js");

const server = Server({ games: [Meadow], origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]), callback: () => console.log("ready") });
