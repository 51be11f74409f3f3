export function wire(socket, ui) {
  const history = [];
  socket.on('message', (m) => { history.push(m); ui.messages.push({ from: m.from, body: m.body }); });
  socket.emit('message', { content: 'hello ' + history.length });
}
