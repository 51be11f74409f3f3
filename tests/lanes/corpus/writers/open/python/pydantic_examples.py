from pydantic import BaseModel, Field
class Message(BaseModel):
    role: str = Field(default="user", examples=["user", "system"])
    content: str = Field(description="The text of the message")
class Chat(BaseModel):
    messages: list[Message] = Field(default_factory=list, examples=[[{"role": "user", "content": "hi"}]])
    model_config = {"json_schema_extra": {"examples": [{"messages": [{"role": "user", "content": "hi"}]}]}}
