import { streamText } from 'ai';
export async function POST(req: Request) {
  const { messages } = await req.json();
  const core = [{ role: 'system', content: await rules() }, ...messages]; // <- site
  return streamText({ model, messages: core }).toDataStreamResponse();
}
