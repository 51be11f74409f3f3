export async function handle(request: ChatRequest) {
  const { message, fileContext } = request.body;
  const whole = fileContext ? `${fileContext}\n\n${message}` : message; //: join
  return classify(whole); //: call
}
