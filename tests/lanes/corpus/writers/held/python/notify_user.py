class Notifier:
    def __init__(self):
        self.messages = []
    def warn(self, text, system):
        self.messages.append(f"[{system}] {text}")
