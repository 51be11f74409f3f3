export function buildMessages(memory: string, lanes: LaneRecord[]) {
  const messages = [];
  messages.push({ role: 'system', content: memory }); // <- site lane=memory
  lanes.push({ lane: 'memory', chars: memory.length });
  return messages;
}
