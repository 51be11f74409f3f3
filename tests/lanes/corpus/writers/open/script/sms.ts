import twilio from 'twilio';
export async function send(to: string, items: string[]) {
  let content = `Hello\n`;
  for (const i of items) content += `- ${i}\n`;
  await twilio().messages.create({ to, body: content });
}
