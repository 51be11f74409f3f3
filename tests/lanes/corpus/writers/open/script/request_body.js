export async function ask(text, rules, history) {
  const body = { model: 'gpt-4o', messages: [] };
  body.messages.push({ role: 'user', content: text }); // <- site
  body.system = rules; // <- site
  for (const h of history) body.messages.unshift(h); // <- site
  const res = await fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) });
  return (await res.json()).choices[0].message.content;
}
