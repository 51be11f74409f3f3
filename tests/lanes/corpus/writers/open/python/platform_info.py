import platform
def info():
    system = platform.system() + " " + platform.release()
    instructions = "see " + system
    return {"system": system, "instructions": instructions}
