from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
llm = ChatOpenAI()
def run(rules, text):
    return llm.invoke([SystemMessage(content=rules), HumanMessage(content=text)])  # <- site
