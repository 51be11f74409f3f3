from router import Router


class Session:
    def __init__(self, text: str):
        self.typed = text
        self.full = text
        self.router = Router()

    def attach(self, document: str) -> None:
        self.full += "\n" + document

    def answer(self):
        return self.router.route(self.typed)
