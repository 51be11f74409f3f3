def check(build):
    messages = build("hi")
    assert messages == [{"role": "user", "content": "hi"}]
    assert messages[0] != {"role": "system", "content": "x"}
