import { App } from '@slack/bolt';
import { ask } from './llm';
export function listen(app: App) {
  app.message(async ({ message, say }) => {
    const history: Msg[] = [];
    history.push({ role: 'user', content: message.text }); // <- site
    await say({ text: await ask(history), blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'hi' } }] });
  });
}
