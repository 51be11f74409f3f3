def handle(message, context):
    full = message + context
    return model.generate(full)
