import { generateObject } from 'ai';
export const judge = async (answer: string, rubric: string) =>
  generateObject({ model, schema, prompt: `Rubric:\n${rubric}\n\nAnswer:\n${answer}` }); // <- site
