import subprocess
def run(system_prompt, user_prompt):
    return subprocess.run(["claude", "-p", "--system-prompt", system_prompt, user_prompt], capture_output=True)  # <- site
