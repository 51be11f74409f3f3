from google import genai
from google.genai import types
def ask(parts, rules):
    client = genai.Client()
    return client.models.generate_content(  # <- site
        model="gemini-2.0-flash",
        contents=parts,
        config=types.GenerateContentConfig(system_instruction=rules),
    )
