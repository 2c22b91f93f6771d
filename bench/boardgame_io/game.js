// A small turn-based game: two players mark fields of a meadow in turn; a full meadow is mown and they begin again.
// `client: false` makes the client wait for the server's state, so a mark that is seen is a mark that was acknowledged.
const FIELDS = 36;

exports.Meadow = {
  name: "meadow",
  setup: () => ({ fields: Array(FIELDS).fill(null), marks: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: {
      client: false,
      move: ({ G, playerID }, field) => {
        if (G.fields[field] !== null) return "INVALID_MOVE";
        G.fields[field] = playerID;
        G.marks += 1;
        if (G.marks % FIELDS === 0) G.fields.fill(null);
      },
    },
  },
};
