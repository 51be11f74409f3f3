export async function reply(ctx) {
  const asked = ctx.BodyStripped ?? ctx.RawBody ?? "";
  const starter = ctx.ThreadStarterBody?.trim();
  const note = starter ? `[Thread]\n${starter}` : undefined;
  const whole = [note, asked].filter(Boolean).join("\n\n"); //: join
  const words = whole.split(/\s+/);
  return classify(words[0]); //: call
}
