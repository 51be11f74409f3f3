export function skillsSection(skills: Skill[]): string {
  const lines = ['## Skills'];
  for (const skill of skills) lines.push(`- ${skill.name}: ${skill.description}`); // <- site
  return lines.join('\n'); // <- site
}
