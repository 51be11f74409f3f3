export async function judge(text: string, chat: Chat) {
  await chat.stream(text);
  const final = chat.messages.find((one) => one.id === chat.last);
  const whole = final?.content?.trim() ?? "";
  return classify(whole, text);
}
