from kafka import KafkaConsumer
def drain(topic):
    messages = []
    for record in KafkaConsumer(topic):
        messages.append(record.value)
    return b"".join(messages)
