export async function drain(consumer: Consumer) {
  const messages: KafkaMessage[] = [];
  await consumer.run({ eachMessage: async ({ message }) => { messages.push(message); } });
  return messages;
}
