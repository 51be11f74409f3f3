import { conversations } from './store';
export function keep(id: string, text: string, reply: string) {
  conversations.addUserMessage(id, text); // <- site
  conversations.addAssistantMessage(id, [{ type: 'text', text: reply }]); // <- site
}
