from gateway.docs import resolve_doc_tokens
from gateway.router import route


async def chat(message: str) -> str:
    doc = await resolve_doc_tokens(message)
    if doc.saw_token:
        message = message + doc.context  #: join
    brain_query = message
    plan = route(brain_query)  #: call instead=none
    return await deliver(message, plan)
