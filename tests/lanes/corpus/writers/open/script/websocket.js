const WebSocket = require('ws');
function onMessage(ws, raw) {
  const { role, content } = JSON.parse(raw);
  ws.send(JSON.stringify({ role: 'assistant', content: 'pong ' + content }));
  history.push(raw);
}
