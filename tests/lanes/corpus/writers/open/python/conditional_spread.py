import openai
def go(history, system, user, image):
    return openai.chat.completions.create(  # <- site
        model="gpt-4o",
        messages=[
            *([{"role": "system", "content": system}] if system else []),
            *history,
            {"role": "user", "content": [{"type": "text", "text": user}, {"type": "image_url", "image_url": {"url": image}}]},
        ],
    )
