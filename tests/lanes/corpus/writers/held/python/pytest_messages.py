def check_roles(client):
    sent = client.last["messages"]
    assert sent[0]["role"] == "system"
    assert sent == [{"role": "system", "content": "x"}, {"role": "user", "content": "y"}]
