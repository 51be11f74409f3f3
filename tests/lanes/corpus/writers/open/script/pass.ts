export class Client {
  systemPrompt: string;
  messages: Message[];
  constructor(o: Options) { this.systemPrompt = o.systemPrompt; this.messages = o.messages; }
  send() { return this.llm.chat.completions.create({ model: 'm', messages: this.messages }); }
}
