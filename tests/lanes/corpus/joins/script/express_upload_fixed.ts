import express from "express";
import { readFile } from "node:fs/promises";
import { route } from "./router";

const app = express();

app.post("/chat", async (req, res) => {
  const typed: string = req.body.message;
  let message = typed;
  for (const file of req.files) {
    const body = await readFile(file.path, "utf8");
    message += `\n<document>\n${body}\n</document>`;
  }
  const tools = route(typed);
  res.json({ tools, answer: await ask(message) });
});
