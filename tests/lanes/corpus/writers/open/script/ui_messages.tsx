import { useState } from 'react';
export function Panel({ stream }: Props) {
  const [messages, setMessages] = useState<Message[]>([]);
  const add = (text: string) => setMessages((old) => [...old, { id: Date.now(), role: 'user', content: text }]);
  const grow = (delta: string) => setMessages((old) => old.map((m) => ({ ...m, content: m.content + delta })));
  return <List items={messages} onAdd={add} onDelta={grow} />;
}
