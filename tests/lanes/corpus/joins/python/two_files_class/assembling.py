class Assembler:
    def __init__(self, text):
        self.text = text

    def add(self, pages):
        for page in pages:
            self.text = self.text + page  #: join
