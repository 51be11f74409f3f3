class Guard:
    async def pre_call(self, data):
        data["messages"].append({"role": "system", "content": self.policy})  # <- site
        return data
