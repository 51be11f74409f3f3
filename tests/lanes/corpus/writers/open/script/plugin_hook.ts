export const plugin = {
  'experimental.chat.system.transform': async (_input: unknown, output: { system: string[] }) => {
    output.system.push('Prefer short answers.'); // <- site
  },
};
