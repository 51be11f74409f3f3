import openai
def on_event(event, message_text):
    if event.channel_context:
        message_text = f"{event.channel_context}\n\n[New message]\n{message_text}"  # <- site
    return message_text
def attach(msg, files):
    appended = "\n\n".join(read(f) for f in files)
    msg = msg.replace(content=msg.content + appended)  # <- site
    text = msg.content.replace("a", "b")
    return msg
