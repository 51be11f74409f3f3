class Brain:
    def plan(self, message):
        whole = f"{self.identity.describe_self} asked: {message}"
        return self.router.classify(whole)
