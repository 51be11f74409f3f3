def note_for(name, path):
    return f"[The user uploaded a report: '{name}', kept at {path}.]"


class Inbox:
    def prepare(self, event):
        wording = event.text or ""
        for item in event.media:
            note = note_for(item.name, item.path)
            wording = f"{note}\n\n{wording}"  #: join
        return self.router.classify(wording)  #: call
