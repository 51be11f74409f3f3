const { route } = require("./router");

function withDocuments(message, documents) {
  return [message, ...documents.map((d) => d.text)].join("\n\n"); //: join
}

module.exports = function handle(message, documents) {
  const query = withDocuments(message, documents);
  return route(query); //: call instead=message
};
