from telegram import Update
from telegram.ext import ContextTypes
from bot.intents import detect_intent


async def on_message(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    text = update.message.text
    replied = update.message.reply_to_message
    if replied:
        text = "\n".join([replied.text, text])  #: join
    intent = await detect_intent(text)  #: call
    await update.message.reply_text(intent)
