export async function run(params, hooks) {
  let prompt = params.prompt;
  const given = await hooks.before({ prompt: params.prompt });
  if (given?.prependContext) {
    prompt = `${given.prependContext}\n\n${params.prompt}`; //: join
  }
  return pickTool({ prompt, model: params.model }); //: call
}
