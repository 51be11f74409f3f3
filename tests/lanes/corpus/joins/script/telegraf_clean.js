const { Telegraf } = require("telegraf");
const { detectIntent } = require("./intents");

const bot = new Telegraf(process.env.TOKEN);

bot.on("text", async (ctx) => {
  const text = ctx.message.text;
  const quoted = ctx.message.reply_to_message;
  const intent = await detectIntent(text);
  const prompt = quoted ? quoted.text + "\n" + text : text;
  await ctx.reply(await answer(prompt, intent));
});
