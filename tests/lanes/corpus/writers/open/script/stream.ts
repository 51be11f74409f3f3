import OpenAI from 'openai';
export async function stream(client: OpenAI, messages: any[], onEvent: (e: unknown) => void) {
  let fullText = '';
  let stderrBuffer = '';
  for await (const part of await client.chat.completions.create({ model: 'm', messages, stream: true })) {
    const delta = part.choices[0]?.delta?.content ?? '';
    fullText += delta;
    stderrBuffer += delta.length;
    onEvent({ type: 'text', content: '\n\n' + fullText });
  }
  return fullText;
}
