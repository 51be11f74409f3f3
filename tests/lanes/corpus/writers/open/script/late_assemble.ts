import { assembleContext } from './context';
export async function handle(turn: Turn, client: Client) {
  const { system, messages } = await assembleContext(turn);
  messages.push({ role: 'system', content: turn.scope }); // <- site late
  return client.messages.create({ model: 'claude', max_tokens: 9, messages, system }); // <- site
}
