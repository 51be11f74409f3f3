export const makeAgent = ({ client, system }) => {
  const history = [{ role: 'system', content: system }]; // <- site
  return async (text) => {
    history.push({ role: 'user', content: text }); // <- site
    const r = await client.chat.completions.create({ model: 'm', messages: history });
    history.push({ role: 'assistant', content: r.choices[0].message.content }); // <- site
    return r;
  };
};
