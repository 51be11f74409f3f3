const { Client } = require("discord.js");
const { pickTool } = require("./brain");

const client = new Client({});

client.on("messageCreate", async (message) => {
  if (message.author.bot) return;
  const tool = pickTool(message.content);
  const attached = [];
  for (const attachment of message.attachments.values()) {
    attached.push(await (await fetch(attachment.url)).text());
  }
  await message.reply(await tool.run([message.content, ...attached].join("\n")));
});
