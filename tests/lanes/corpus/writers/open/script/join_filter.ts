import { Anthropic } from '@anthropic-ai/sdk';
export async function run(c: Anthropic, sys: string, extra: string[]) {
  const system = [sys, ...extra].filter(Boolean).join('\n\n'); // <- site late
  const msgs = [{ role: 'user' as const, content: 'go' }]; // <- site
  return c.messages.create({ model: 'm', max_tokens: 1, system, messages: msgs }); // <- site
}
