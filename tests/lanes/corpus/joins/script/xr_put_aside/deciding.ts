export function decideFor(text: string) {
  return classify(text); //: call
}
