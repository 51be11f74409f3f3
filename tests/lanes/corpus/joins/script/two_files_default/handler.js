const assemble = require("./assemble");
const { route } = require("./routing");

exports.handle = (message, pages) => {
  const turn = assemble(message, pages);
  return route(turn.full); //: call instead=message
};
