from pydantic import BaseModel, Field
class Chat(BaseModel):
    role: str = Field(pattern="system|user", description="who speaks")
    content: str = Field(default="", examples=["hello"])
    model_config = {"json_schema_extra": {"example": {"role": "user", "content": "Hello"}}}
