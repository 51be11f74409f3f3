import discord
from brain import pick_tool

client = discord.Client()


@client.event
async def on_message(message):
    if message.author == client.user:
        return
    content = message.content
    for attachment in message.attachments:
        content += "\n[attachment: " + attachment.filename + "]\n" + (await attachment.read()).decode()  #: join
    tool = pick_tool(content)  #: call
    await message.channel.send(tool)
