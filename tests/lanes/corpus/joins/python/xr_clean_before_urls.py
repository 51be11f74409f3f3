class Coder:
    def take(self, inp):
        if classify(inp):
            return self.commands.run(inp)
        return self.with_pages(inp)

    def with_pages(self, inp):
        for url in find(inp):
            inp += "\n\n" + self.commands.page(url)
        return inp
