export async function saveTurn(db: Db, chatId: string, text: string) {
  await db.insert(message).values({ chatId, role: 'user', content: text, createdAt: new Date() });
  await db.message.create({ data: { chatId, role: 'assistant', content: text } });
}
