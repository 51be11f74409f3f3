import litellm
async def summarise(doc):
    response = await litellm.acompletion(  # <- site fence
        model="gpt-4o-mini",
        messages=[{"role": "user", "content": f"Summarise:\n```\n{doc}\n```"}],
    )
    return response.choices[0].message.content
