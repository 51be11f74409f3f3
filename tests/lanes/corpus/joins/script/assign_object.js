const { route } = require("./router");

function enrich(turn, docs) {
  turn.text = turn.text + docs.join("\n"); //: join
}

exports.handle = function (message, docs) {
  const turn = { text: message };
  enrich(turn, docs);
  return route(turn.text); //: call instead=message
};
