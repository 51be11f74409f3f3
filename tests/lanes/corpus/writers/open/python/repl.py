import cmd
class Shell(cmd.Cmd):
    prompt = "> "
    def do_use(self, name):
        self.prompt = f"({name}) > "
