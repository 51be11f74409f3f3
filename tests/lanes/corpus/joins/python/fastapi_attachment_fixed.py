from fastapi import FastAPI, UploadFile
from app.routing import route
from app.model import answer

app = FastAPI()


@app.post("/chat")
async def chat(message: str, files: list[UploadFile]):
    full = message
    for file in files:
        body = (await file.read()).decode()
        full += f"\n\n<document name='{file.filename}'>\n{body}\n</document>"
    tools = route(message)
    return await answer(full, tools)
