from router import route


def deliver(message: str, channel: str, sender: str):
    wrapped = (
        f'<untrusted_channel_message channel="{channel}" from="{sender}">\n'  #: join
        f"{message}\n</untrusted_channel_message>"
    )
    return route(wrapped)  #: call instead=message
