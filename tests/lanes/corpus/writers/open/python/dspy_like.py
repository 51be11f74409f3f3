import textwrap
from app.llm import call_llm
LIMIT = 3_000
def rank(docs, question):
    numbered = "\n".join(f"[{i}] {doc[:LIMIT]}" for i, doc in enumerate(docs))  # <- site budget=3000
    return call_llm(textwrap.dedent(f"""  # <- site fence
        Rank the documents for: {question}
        <documents>
        {numbered}
        </documents>
    """))
