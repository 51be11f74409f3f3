export async function ask(key, system, user) {
  const res = await fetch('https://api.openai.com/v1/chat/completions', { // <- site
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'system', content: system }, { role: 'user', content: user }] }),
  });
  return res.json();
}
