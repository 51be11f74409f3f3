import { conversations } from './store';
export function remember(id: string, text: string, answer: string) {
  conversations.addUserMessage(id, text); // <- site
  conversations.addAssistantMessage(id, [{ type: 'text', text: answer }]); // <- site
  for (const one of conversations.messages(id)) console.log(one.role, one.content);
}
