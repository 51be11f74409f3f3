import requests
def ask(url, text, system_prompt):
    body = {"model": "local", "stream": False}
    body["messages"] = [{"role": "system", "content": system_prompt}]  # <- site
    body["messages"].append({"role": "user", "content": text})  # <- site
    return requests.post(url + "/v1/chat/completions", json=body).json()
