from email.message import EmailMessage
def send(user, items):
    content = "Hello " + user + ",\n"
    for item in items:
        content += f"- {item}\n"
    message = EmailMessage()
    message.set_content(content)
    return message
