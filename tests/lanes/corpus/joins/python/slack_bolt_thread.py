from slack_bolt import App
from router import route

app = App()


@app.event("app_mention")
def mention(event, client, say):
    text = event["text"]
    if event.get("thread_ts"):
        quoted = client.conversations_replies(channel=event["channel"], ts=event["thread_ts"])["messages"][0]["text"]
        text = f"> {quoted}\n\n{text}"  #: join
    tool = route(text)  #: call instead=none
    say(tool.run())
