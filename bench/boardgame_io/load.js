// The load: node load.js PORT MATCHES MOVES SECONDS. Two of boardgame.io's own clients a match, over socket.io. Whoever's turn it is
// marks a field and waits until the server's state with that mark has come; then the other one goes on. One line of JSON at the end.
const { Client, LobbyClient } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Meadow } = require("./game.js");

const [port, matches, moves, seconds] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const lobby = new LobbyClient({ server });
const latencies = [];
let done = 0;
let running = false;
let began = 0;
let wakeAll;
const finished = new Promise((resolve) => (wakeAll = resolve));

async function match() {
  const { matchID } = await lobby.createMatch("meadow", { numPlayers: 2 });
  const players = [];
  for (const playerID of ["0", "1"]) {
    const { playerCredentials } = await lobby.joinMatch("meadow", matchID, { playerID, playerName: `P${playerID}` });
    const client = Client({ game: Meadow, matchID, playerID, credentials: playerCredentials, multiplayer: SocketIO({ server }), debug: false });
    client.start();
    players.push(client);
  }
  await Promise.all(players.map((client) => new Promise((resolve) => {
    const look = setInterval(() => { const s = client.getState(); if (s && s.isConnected) { clearInterval(look); resolve(); } }, 20);
  })));
  return players;
}

function play(players, most) {
  // Each client moves when a state from the server says that it is its turn, and waits for the state in which its mark stands.
  const starts = players.map((client, number) => {
    let sent = 0, awaited = 0;
    const act = (state) => {
      if (!state) return;
      if (awaited && state.G.marks >= awaited) {
        latencies.push(performance.now() - sent);
        awaited = 0;
        if (++done >= matches * most) wakeAll();
      }
      if (!running || awaited || state.ctx.currentPlayer !== String(number) || state.G.marks >= most) return;
      awaited = state.G.marks + 1;
      sent = performance.now();
      const field = state.G.fields.indexOf(null);
      setImmediate(() => client.moves.mark(field));
    };
    client.subscribe(act);
    return () => act(client.getState());
  });
  return () => starts.forEach((start) => start());
}

(async () => {
  const games = [];
  for (let number = 0; number < matches; number++) games.push(await match());
  const starts = games.map((players) => play(players, moves));
  running = true;
  began = performance.now();
  const cpu = process.cpuUsage();
  console.log("go");
  starts.forEach((start) => start());
  const limit = setTimeout(wakeAll, seconds * 1000);
  await finished;
  clearTimeout(limit);
  const passed = (performance.now() - began) / 1000;
  const used = process.cpuUsage(cpu);
  console.log(JSON.stringify({ moves: done, seconds: passed, load_cpu: (used.user + used.system) / 1e6, latencies_ms: latencies.map((each) => Number(each.toFixed(3))) }));
  process.exit(0);
})();
