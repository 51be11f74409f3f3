from typing import Literal, TypedDict
class Message(TypedDict):
    role: Literal["system", "user"]
    content: str
class SystemMessage(Message):
    pass
def is_system(m):
    return isinstance(m, SystemMessage) or m["role"] == "system"
