export function feed(state: State, chunk: string) {
  state.buffer += chunk;
  const lines = state.buffer.split('\n');
  state.pending.lastAllText += lines.join('\n');
  state.outputText += chunk;
}
