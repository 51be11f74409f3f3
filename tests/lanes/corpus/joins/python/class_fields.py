from router import Router


class Session:
    def __init__(self, text: str):
        self.text = text
        self.router = Router()

    def attach(self, document: str) -> None:
        self.text += "\n" + document  #: join

    def answer(self):
        return self.router.route(self.text)  #: call


def main(text, document):
    session = Session(text)
    session.attach(document)
    return session.answer()
