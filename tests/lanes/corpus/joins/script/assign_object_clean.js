const { route } = require("./router");

function enrich(turn, docs) {
  turn.prompt = turn.text + docs.join("\n");
}

exports.handle = function (message, docs) {
  const turn = { text: message };
  enrich(turn, docs);
  return route(turn.text);
};
