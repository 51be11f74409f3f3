import Anthropic from '@anthropic-ai/sdk';
export async function look(client: Anthropic, page: string, image: string, question: string) {
  const content: any[] = [{ type: 'text', text: page.slice(0, 12_000) }]; // <- site budget=12000
  content.push({ type: 'image', source: { type: 'base64', data: image } }); // <- site
  content.push({ type: 'text', text: question }); // <- site
  return client.messages.create({ model: 'claude', max_tokens: 1, messages: [{ role: 'user', content }] }); // <- site
}
