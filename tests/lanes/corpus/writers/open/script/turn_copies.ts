import OpenAI from 'openai';
export function prefix(note: string, body: string) {
  const prefixedBody = [note, body].filter(Boolean).join('\n\n'); // <- site
  const copy = { ...message, content: `${message.content}\n\n${note}` }; // <- site
  const shown = { ...message, pending: true };
  return { prefixedBody, copy, shown };
}
