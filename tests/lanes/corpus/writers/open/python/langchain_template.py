from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
prompt = ChatPromptTemplate.from_messages([  # <- site
    ("system", "Answer from the context:\n{context}"),
    MessagesPlaceholder("history"),
    ("human", "{question}"),
])
