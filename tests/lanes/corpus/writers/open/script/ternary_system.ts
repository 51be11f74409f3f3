import { anthropic } from './client';
export async function go(base: string, skill: string | null, messages: any[]) {
  const systemPrompt = skill ? `${base}\n\n# Skill\n${skill}` : base; // <- site
  return anthropic.messages.stream({ model: 'c', max_tokens: 1, system: systemPrompt, messages }); // <- site
}
