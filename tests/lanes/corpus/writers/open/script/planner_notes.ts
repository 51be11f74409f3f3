import { generateText } from 'ai';
export class Planner {
  async plan(goal: string, notes: string[]) {
    const context = notes.length > 0 ? `\n\nNotes:\n${notes.join('\n')}` : ''; // <- site
    const { text } = await generateText({ model, prompt: goal + context }); // <- site
    return text;
  }
}
