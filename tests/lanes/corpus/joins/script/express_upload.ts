import express from "express";
import { readFile } from "node:fs/promises";
import { route } from "./router";

const app = express();

app.post("/chat", async (req, res) => {
  let message: string = req.body.message;
  for (const file of req.files) {
    const body = await readFile(file.path, "utf8");
    message += `\n<document>\n${body}\n</document>`; //: join
  }
  const tools = route(message); //: call instead=req.body.message
  res.json(tools);
});
