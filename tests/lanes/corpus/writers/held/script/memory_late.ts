import { assemblePrompt } from './assemble';
import { llm } from './llm';
export async function go(turn: Turn) {
  const prompt = assemblePrompt(turn);
  const full = `${prompt}\n\n<memory>\n${turn.memory}\n</memory>`; // <- site fence late
  return llm.complete(full);
}
