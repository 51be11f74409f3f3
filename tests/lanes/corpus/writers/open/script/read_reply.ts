export function textOf(event: Event) {
  const text = event.message.content.filter((b) => b.type === 'text').map((b) => b.text).join('\n');
  const system = event.messages.find((m) => m.role === 'system');
  return { text, hasSystem: !!system };
}
