def post(client, channel, lines):
    text = "\n".join(lines)
    client.chat_postMessage(channel=channel, text=text, blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": text}}])
