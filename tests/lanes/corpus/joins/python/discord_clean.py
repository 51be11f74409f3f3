import discord
from brain import pick_tool

client = discord.Client()


@client.event
async def on_message(message):
    if message.author == client.user:
        return
    content = message.content
    tool = pick_tool(message.content)
    for attachment in message.attachments:
        content += (await attachment.read()).decode()
    await message.channel.send(tool.run(content))
