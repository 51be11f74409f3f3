import { complete } from './openai.js';
export function withTools(messages, results) {
  const next = messages.concat([{ role: 'tool', tool_call_id: results.id, content: results.text }]); // <- site
  return complete(next);
}
