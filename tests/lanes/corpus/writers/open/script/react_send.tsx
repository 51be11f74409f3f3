import { useState } from 'react';
export function Box() {
  const [text, setText] = useState('');
  const send = async () => {
    const res = await fetch('/v1/chat/completions', { method: 'POST', body: JSON.stringify({ messages: [{ role: 'user', content: text }] }) }); // <- site
    setText(await res.text());
  };
  return <button onClick={send}>{text}</button>;
}
