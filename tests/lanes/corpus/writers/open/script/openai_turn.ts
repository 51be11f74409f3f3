import OpenAI from 'openai';
const client = new OpenAI();
const MAX_MEMORY = 2_000;
export async function turn(question: string, memory: string) {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'Be brief.' }]; // <- site
  messages.push({ role: 'system', content: memory.slice(0, MAX_MEMORY) }); // <- site budget=2000
  messages.push({ role: 'user', content: question }); // <- site
  return client.chat.completions.create({ model: 'gpt-4o', messages });
}
