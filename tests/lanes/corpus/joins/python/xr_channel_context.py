async def inbound(event, gateway):
    told = event.text or ""
    if getattr(event, "channel_context", None):
        told = f"{event.channel_context}\n\nNow:\n{told}"  #: join
    if "@" in told:
        return await gateway.pick_tool(told, cwd="/srv")  #: call
    return None
