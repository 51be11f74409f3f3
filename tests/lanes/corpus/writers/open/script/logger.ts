export function log(logger: Logger, messages: unknown[], system: string) {
  logger.info(`messages=${messages.length} system=${system}`);
  logger.debug({ role: 'user', content: messages.at(-1) });
  console.log('system: ' + system + ' prompt: ' + messages.join('\n'));
}
