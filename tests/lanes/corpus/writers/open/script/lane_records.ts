export function collect(lanes: Lane[], memory: string, page: string) {
  lanes.push({ lane: 'memory', text: memory.slice(0, 900) }); // <- site lane=memory budget=900
  lanes.push({ lane: 'page', content: page }); // <- site lane=page
  receipts.push({ lane: 'memory', chars: memory.length });
}
