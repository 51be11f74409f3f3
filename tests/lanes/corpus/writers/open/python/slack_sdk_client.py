import os
from slack_sdk import WebClient
def notify(channel, items):
    client = WebClient(os.environ["T"])
    text = "Hello\n" + "\n".join(items)
    client.chat_postMessage(channel=channel, text=text)
    messages = client.conversations_history(channel=channel)["messages"]
    messages.append({"text": text})
