// The load: node load.js PORT MATCHES MOVES SECONDS [PLAYERS]. Boardgame.io's own clients over socket.io, two a match. Whoever's turn it is
// marks a field and waits until the server's state with that mark has come; then the other one goes on. With PLAYERS there are that many,
// and the next one goes on when all of them have that state. One line of JSON at the end.
const { Client, LobbyClient } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Meadow } = require("./game.js");

const [port, matches, moves, seconds, seats] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const lobby = new LobbyClient({ server });
const latencies = [], updates = [];
const rounded = (times) => times.map((each) => Number(each.toFixed(3)));
let done = 0;
let running = false;
let began = 0;
let wakeAll;
const finished = new Promise((resolve) => (wakeAll = resolve));

async function match() {
  const { matchID } = await lobby.createMatch("meadow", { numPlayers: seats || 2 });
  const players = [];
  for (const playerID of Array.from({ length: seats || 2 }, (_, number) => String(number))) {
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
  const told = players.map(() => 0); // the marks that each knows of
  let latest = 0, since = 0; // the mark that not yet all know of, where that is waited for, and when it was sent
  const count = () => { if (++done >= matches * most) wakeAll(); };
  const acts = players.map((client, number) => {
    let sent = 0, awaited = 0;
    return (state) => {
      if (!state) return;
      told[number] = state.G.marks;
      if (awaited && state.G.marks >= awaited) {
        latencies.push(performance.now() - sent);
        awaited = 0;
        if (!seats) count();
      }
      if (latest) {
        if (told.some((marks) => marks < latest)) return;
        updates.push(performance.now() - since);
        latest = 0;
        count();
        const next = Number(state.ctx.currentPlayer);
        acts[next](players[next].getState());
        return;
      }
      if (!running || awaited || state.ctx.currentPlayer !== String(number) || state.G.marks >= most) return;
      awaited = state.G.marks + 1;
      if (seats) latest = awaited;
      sent = since = performance.now();
      const field = state.G.fields.indexOf(null);
      setImmediate(() => client.moves.mark(field));
    };
  });
  players.forEach((client, number) => client.subscribe(acts[number]));
  return () => acts.forEach((act, number) => act(players[number].getState()));
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
  const found = { moves: done, seconds: passed, load_cpu: (used.user + used.system) / 1e6, latencies_ms: rounded(latencies), updates_ms: rounded(updates) };
  process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0)); // when all of it has been taken; a pipe holds less
})();
