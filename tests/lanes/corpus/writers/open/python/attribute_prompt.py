class Session:
    def load(self, skill):
        self.system_prompt = self.system_prompt + "\n\n# Skill\n" + skill  # <- site
