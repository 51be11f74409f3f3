class ChatWindow:
    def show(self, toast, text):
        toast.messages.append({"level": "info", "text": text})
        self.messages.append(f"{text} saved")
