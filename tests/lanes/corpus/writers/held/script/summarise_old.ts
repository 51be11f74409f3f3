import OpenAI from 'openai';
const KEEP = 12;
export async function compact(client: OpenAI, messages: Msg[]) {
  const old = messages.slice(0, -KEEP);
  const summary = await client.responses.create({ model: 'm', instructions: 'Summarise.', input: old.map((m) => m.content).join('\n') }); // <- site
  return [{ role: 'system', content: `Earlier: ${summary.output_text}` }, ...messages.slice(-KEEP)]; // <- site
}
