from fastapi.responses import JSONResponse
def respond(text):
    return JSONResponse({
        "id": "x", "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
    })
