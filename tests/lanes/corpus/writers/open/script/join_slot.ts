import { openai } from './client';
export async function answer(chunks: Chunk[], q: string) {
  const prompt = chunks.map((c) => c.text).join('\n---\n') + '\n\n' + q; // <- site
  return openai.responses.create({ model: 'gpt-5', input: prompt });
}
