import subprocess
def run(prompt, rules):
    return subprocess.run(["claude", "-p", prompt, "--append-system-prompt", rules], capture_output=True)  # <- site
