import logging
log = logging.getLogger(__name__)
def report(messages, system):
    log.info("messages: " + str(len(messages)) + f" for {system}")
    log.debug({"role": "user", "content": messages[-1]})
