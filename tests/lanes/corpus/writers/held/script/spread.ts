import { llm } from './llm';
export async function ask(history: Message[], rules: string | undefined, text: string) {
  const messages = [ // <- site
    ...(rules ? [{ role: 'system' as const, content: rules }] : []),
    ...history.slice(-10),
    { role: 'user' as const, content: text },
  ];
  return llm.chat(messages);
}
