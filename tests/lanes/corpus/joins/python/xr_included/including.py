from pathlib import Path


def with_files(msg, folder):
    try:
        return _with_files(msg, folder)
    except OSError:
        return msg


def _with_files(msg, folder):
    added = ""
    for word in msg.content.split():
        if found := _block(folder, word):
            added += "\n\n" + found
    if added:
        msg = msg.replace(content=msg.content + added)  #: join
    return msg


def _block(folder, word):
    return Path(folder, word).read_text()
