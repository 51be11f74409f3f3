export async function answer(req: Request) {
  const { message } = req.body;
  const route_ = classify(message);
  const fileContext = await readContext(req.body.ids);
  const prompt = `${fileContext}\n\nQuestion: ${message}`;
  return generate(prompt, route_);
}
