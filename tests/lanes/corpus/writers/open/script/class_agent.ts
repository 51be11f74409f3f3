import OpenAI from 'openai';
export class Agent {
  private messages: any[] = [];
  constructor(private client: OpenAI, persona: string) {
    this.messages.push({ role: 'system', content: persona }); // <- site
  }
  async step(text: string) {
    this.messages.push({ role: 'user', content: text }); // <- site
    const reply = await this.client.chat.completions.create({ model: 'm', messages: this.messages });
    this.messages.push(reply.choices[0].message); // <- site
    return reply;
  }
}
