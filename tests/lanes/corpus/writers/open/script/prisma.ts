export async function save(prisma: any, conversationId: string, text: string) {
  await prisma.message.create({ data: { conversationId, role: 'user', content: text } });
}
