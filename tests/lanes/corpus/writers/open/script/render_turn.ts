export function renderTurn(turn: Turn): string {
  const ctx = turn.docs.map((d) => `<doc id="${d.id}">\n${d.text}\n</doc>`).join('\n');
  const system = `You answer from the documents.\n${ctx}`; // <- site
  return system;
}
