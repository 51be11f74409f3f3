const { Ollama } = require('ollama');
async function ask(notes, q) {
  const prompt = 'Notes:\n' + notes + '\n\nQuestion: ' + q; // <- site
  return new Ollama().generate({ model: 'llama3', prompt });
}
module.exports = { ask };
