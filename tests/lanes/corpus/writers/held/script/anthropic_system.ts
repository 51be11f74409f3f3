import Anthropic from '@anthropic-ai/sdk';
export async function ask(client: Anthropic, rules: string, text: string) {
  let system = 'You are Ada.';
  system += `\n\n<rules>${rules}</rules>`; // <- site fence
  return client.messages.create({ // <- site
    model: 'claude', max_tokens: 100, system,
    messages: [{ role: 'user', content: text }],
  });
}
