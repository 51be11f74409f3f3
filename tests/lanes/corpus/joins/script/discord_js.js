const { Client } = require("discord.js");
const { pickTool } = require("./brain");

const client = new Client({});

client.on("messageCreate", async (message) => {
  let content = message.content;
  for (const attachment of message.attachments.values()) {
    const response = await fetch(attachment.url);
    content += "\n" + (await response.text()); //: join
  }
  const tool = pickTool(content); //: call
  await message.reply(tool);
});
