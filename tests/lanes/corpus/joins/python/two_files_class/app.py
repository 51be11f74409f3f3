import assembling
from router import route


def handle(message, pages):
    assembler = assembling.Assembler(message)
    assembler.add(pages)
    return route(assembler.text)  #: call instead=message
