export class Conversation {
  private turns: Turn[] = [];
  addUser(text: string) { this.turns.push({ role: 'user', content: text }); } // <- site
  addAssistant(text: string) { this.turns.push({ role: 'assistant', content: text }); } // <- site
  toApi() { return this.turns.map((t) => ({ role: t.role, content: t.content })); }
}
