import { useState } from 'react';
export function Chat() {
  const [messages, setMessages] = useState<Msg[]>([{ role: 'assistant', content: 'Hello!' }]);
  const show = (text: string) => setMessages((old) => [...old, { role: 'user', content: text }]);
  return <ul onClick={() => show('x')}>{messages.map((m) => <li>{m.content}</li>)}</ul>;
}
