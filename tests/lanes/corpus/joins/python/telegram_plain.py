from telegram import Update
from telegram.ext import ContextTypes
from bot.intents import detect_intent


async def on_message(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    text = update.message.text
    intent = await detect_intent(text)
    await context.bot.send_message(chat_id=update.effective_chat.id, text=f"{intent}: {text}")
