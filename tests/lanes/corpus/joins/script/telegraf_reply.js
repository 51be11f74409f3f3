const { Telegraf } = require("telegraf");
const { detectIntent } = require("./intents");

const bot = new Telegraf(process.env.TOKEN);

bot.on("text", async (ctx) => {
  let text = ctx.message.text;
  const quoted = ctx.message.reply_to_message;
  if (quoted) {
    text = quoted.text + "\n" + text; //: join
  }
  const intent = await detectIntent(text); //: call
  await ctx.reply(intent);
});
