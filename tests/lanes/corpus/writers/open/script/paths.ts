import path from 'path';
export const promptPath = (name: string) => path.join('prompts', name + '.md');
export const promptFile = `prompts/${process.env.NAME}.md`;
export const systemPromptId = `prompt-${Date.now()}`;
