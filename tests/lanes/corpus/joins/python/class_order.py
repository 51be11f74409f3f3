from router import route


class Turn:
    def __init__(self, message, context):
        self.message = message
        self.context = context

    def run(self):
        plan = self.plan()
        self.fold()
        return self.model(self.message, plan)

    def plan(self):
        return route(self.message)

    def fold(self):
        self.message = self.message + self.context
