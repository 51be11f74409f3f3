import asyncio

from router import route


async def handle(message, snippets):
    query = message + " ".join(snippets)  #: join
    return await asyncio.to_thread(route, query)  #: call instead=message
