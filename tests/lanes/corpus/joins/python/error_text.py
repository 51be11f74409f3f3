from router import classify


def report(error_message, context):
    return classify(error_message + str(context))
