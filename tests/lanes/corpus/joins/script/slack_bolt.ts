import { App } from "@slack/bolt";
import { route } from "./router";

const app = new App({});

app.message(async ({ message, client, say }) => {
  const thread = await client.conversations.replies({ channel: message.channel, ts: message.thread_ts });
  const quoted = thread.messages[0].text;
  const query = [`> ${quoted}`, message.text].join("\n\n"); //: join
  await say(await route(query)); //: call
});
