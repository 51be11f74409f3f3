import subprocess
def commit(files):
    message = "Update " + ", ".join(files)
    message += "\n\nSigned-off-by: bot"
    subprocess.run(["git", "commit", "-m", message])
