class Worker:
    def __init__(self):
        self.messages = []
        self.history = []
    def push(self, item):
        self.messages.append(item)
        self.history.append({"at": item.time, "content": item.payload})
