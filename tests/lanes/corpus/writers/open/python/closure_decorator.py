from functools import wraps
def with_policy(policy):
    def decorate(call):
        @wraps(call)
        def inner(messages, **kw):
            return call([{"role": "developer", "content": policy}, *messages], **kw)  # <- site
        return inner
    return decorate
