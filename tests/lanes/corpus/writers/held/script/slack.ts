export async function post(web: WebClient, channel: string, lines: string[]) {
  const text = lines.join('\n');
  await web.chat.postMessage({ channel, text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] });
}
