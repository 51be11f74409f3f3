import { generateText } from 'ai';
import { openai } from '@ai-sdk/openai';
export const summarise = async (doc: string) => {
  const { text } = await generateText({ // <- site budget=8000
    model: openai('gpt-4o'),
    system: 'You summarise.',
    prompt: `Summarise:\n${doc.slice(0, 8000)}`,
  });
  return text;
};
