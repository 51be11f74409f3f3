export function buildSystemPrompt(user: User, memory: string[], page?: string): string {
  const sections: string[] = ['You are Ada.'];
  if (memory.length) sections.push('## Memory\n' + memory.join('\n')); // <- site
  if (page) {
    sections.push(`## Page\n${page.substring(0, 20000)}`); // <- site budget=20000
  }
  return sections.join('\n\n'); // <- site
}
