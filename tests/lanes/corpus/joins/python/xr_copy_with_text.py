from dataclasses import replace


class Desk:
    async def photo(self, message, user_text):
        vision_result = await self.eyes.look(message.photo)
        fuller = replace(message, text=f"{user_text}\n\nSeen: {vision_result}")  #: join
        return await self.answer(fuller, classify(fuller.text))  #: call
