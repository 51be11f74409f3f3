export function forward(res: Response, events: AsyncIterable<Ev>) {
  let text = '';
  (async () => { for await (const e of events) { text += e.delta; res.write(`data: ${JSON.stringify({ role: 'assistant', content: text })}\n\n`); } })();
}
