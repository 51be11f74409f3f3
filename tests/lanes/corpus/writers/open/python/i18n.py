messages = {"en": {"hello": "Hello"}}
def extend(lang, table):
    messages[lang] = {**messages.get(lang, {}), **table}
    messages.update({"de": {"hello": "Hallo"}})
