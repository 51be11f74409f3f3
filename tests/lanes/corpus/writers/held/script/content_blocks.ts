import type Anthropic from '@anthropic-ai/sdk';
export function blocks(text: string, docs: string[]): Anthropic.ContentBlockParam[] {
  const content: Anthropic.ContentBlockParam[] = docs.map((d) => ({ type: 'text', text: `<doc>${d}</doc>` })); // <- site fence
  content.push({ type: 'text', text }); // <- site
  return content;
}
