import { query } from '@anthropic-ai/claude-code';
async function* input(texts: string[]) {
  for (const t of texts) {
    yield { type: 'user', message: { role: 'user', content: t } }; // <- site
  }
}
export const run = (texts: string[], rules: string) =>
  query({ prompt: input(texts), options: { appendSystemPrompt: rules } }); // <- site
