export function Composer({ attachments }: Props) {
  const { input, setInput } = useChat();
  const send = useCallback(() => {
    let whole = input.trim();
    if (attachments.length > 0) {
      const names = attachments.map((one) => one.name).join(", ");
      whole = `[Attached files: ${names}]\n${whole}`; //: join
    }
    classify(whole); //: call
    setInput("");
  }, [input, attachments]);
  return <button onClick={send}>Send</button>;
}
