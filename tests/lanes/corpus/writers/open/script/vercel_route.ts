import { streamText, convertToModelMessages } from 'ai';
export async function POST(req: Request) {
  const { messages, page } = await req.json();
  const result = streamText({ // <- site
    model,
    system: `You see this page:\n${page}`,
    messages: convertToModelMessages(messages),
  });
  return result.toUIMessageStreamResponse();
}
