from including import with_files


def step(queue, log):
    msg = queue.pop(0)
    msg = with_files(msg, log.folder)
    log.append(msg)
    if classify(msg):  #: call
        return True
    return False
