const { route } = require("./router");

function withDocuments(message, documents) {
  return [message, ...documents.map((d) => d.text)].join("\n\n");
}

module.exports = function handle(message, documents) {
  const prompt = withDocuments(message, documents);
  return { tool: route(message), prompt };
};
