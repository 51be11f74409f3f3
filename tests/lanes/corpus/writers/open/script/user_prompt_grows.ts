import { search } from './search';
export async function run(fullPrompt: string, label: string, files: string[]) {
  const results = await search(fullPrompt);
  let userPrompt = `<active_context>\n${results}\n</active_context>\n\n${label}\n\n${fullPrompt}`; // <- site fence late
  if (files.length) {
    userPrompt += '\n\n<instruction>Read the files first.</instruction>'; // <- site fence late
  }
  userPrompt += '\n\n' + files.join('\n'); // <- site late
  return pool.queue.push({ prompt: userPrompt, at: Date.now() });
}
