from fastapi import FastAPI
app = FastAPI()
@app.post("/v1/chat/completions")
def complete(req: ChatRequest):
    text = engine.run(req.messages[-1].content)
    return {"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]}
