from pathlib import Path
def path_of(name):
    prompt_path = "prompts/" + name + ".md"
    prompt_name = f"{name}-v2"
    return Path(prompt_path), prompt_name
