import { useChat } from '@ai-sdk/react';
export function Chat() {
  const { messages, append, input, setInput } = useChat();
  return (
    <form
      onSubmit={() => append({ role: 'user', content: input })} // <- site
    >
      {messages.map((m) => <p key={m.id} className={m.role === 'user' ? 'me' : 'it'}>{m.content}</p>)}
    </form>
  );
}
