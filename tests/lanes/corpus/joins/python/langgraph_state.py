from router import classify


def retrieve(state):
    docs = vectorstore.similarity_search(state["question"])
    return {"context": docs}


def grade(state):
    prompt = f"{state['context']}\n\n{state['question']}"  #: join
    return classify(prompt)  #: call instead=state['question']
