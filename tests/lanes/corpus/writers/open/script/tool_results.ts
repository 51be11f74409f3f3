import Anthropic from '@anthropic-ai/sdk';
export async function loop(messages: Anthropic.MessageParam[], calls: Call[]) {
  const results = [];
  for (const call of calls) {
    const output = await call.run();
    results.push({ type: 'tool_result', tool_use_id: call.id, content: truncate(output, 4000) }); // <- site budget=4000
  }
  messages.push({ role: 'user', content: results }); // <- site
}
