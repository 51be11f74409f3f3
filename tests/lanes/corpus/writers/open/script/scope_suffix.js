const { buildMessages } = require('./assemble');
async function viaOpenAI(turn) {
  const messages = buildMessages(turn);
  messages[0].content += '\n\n' + turn.scope; // <- site late
  return fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', body: JSON.stringify({ model: 'm', messages }) });
}
module.exports = { viaOpenAI };
