from transformers import pipeline
pipe = pipeline("text-generation")
def classify(text):
    prompt = f"Classify the text.\n\nText: {text}\nLabel:"  # <- site
    return pipe(prompt)[0]["generated_text"]
