from gateway.docs import resolve_doc_tokens
from gateway.router import route


async def chat(message: str) -> str:
    routing_text = None
    doc = await resolve_doc_tokens(message)
    if doc.saw_token:
        carrier = doc.text.strip() or "Summarize the attached document."
        message = carrier + doc.context
        routing_text = carrier
    brain_query = routing_text or message
    plan = route(brain_query)
    return await deliver(message, plan)
