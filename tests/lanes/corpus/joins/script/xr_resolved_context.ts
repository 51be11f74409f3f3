export async function ask(userQuestion: string, key: string) {
  const groundedContext = await resolveGroundedContext({ key, userQuestion });
  const whole = groundedContext ? `${userQuestion}\n\nFacts:\n${groundedContext}` : userQuestion; //: join
  return classify(whole); //: call
}
