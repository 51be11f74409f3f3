export function theme(system: string) {
  let label = 'system';
  label += ' (' + system + ')';
  const systemFont = `system-ui, ${system}`;
  return { label, systemFont };
}
