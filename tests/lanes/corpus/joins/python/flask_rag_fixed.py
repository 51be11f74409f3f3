from flask import Flask, jsonify, request
from rag import retriever
from intents import classify

app = Flask(__name__)


@app.route("/ask", methods=["POST"])
def ask():
    data = request.get_json()
    question = data["question"]
    docs = retriever.get_relevant_documents(question)
    context = "\n".join(d.page_content for d in docs)
    prompt = f"Context:\n{context}\n\nQuestion: {question}"
    intent = classify(question)
    return jsonify(intent=intent, answer=generate(prompt))
