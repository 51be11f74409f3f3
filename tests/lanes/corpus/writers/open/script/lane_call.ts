import { claim } from './ledger';
export function assembleContext(parts: string[], memory: string, page: string) {
  parts.push(claim('memory', `## Memory\n${memory}`)); // <- site lane=memory
  parts.push({ lane: 'page_context', text: page }.text); // <- site lane=page_context
  return parts.join('\n\n'); // <- site
}
