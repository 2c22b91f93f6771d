#!/usr/bin/env node
// A bot for any game of the house: it takes the most points that it can have at once, and draws among equals.
//
//     sheepfold arena haste-bock --bots 'cmd:node examples/bots/bot.js',lamb --games 20
const lines = require("readline").createInterface({ input: process.stdin });
const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

function choose(question) {
  if (question.interrupting) return "pass";
  const most = Math.max(...question.actions.map(({ gain }) => gain ?? 0));
  const best = question.actions.filter(({ gain }) => (gain ?? 0) === most);
  return best[question.seed % best.length].action; // the same game again plays the same again
}

lines.on("line", (line) => {
  const told = JSON.parse(line);
  if (told.type === "setup") {
    console.error(`seat ${told.seat} of ${told.seats} at ${told.title}`);
    say({ ready: 1 });
  } else if (told.type === "decide") {
    say({ action: choose(told) });
  }
});
