import { NextResponse } from "next/server";
import { searchDocs } from "@/lib/search";
import { classifyIntent } from "@/lib/intent";

export async function POST(request: Request) {
  const { message } = await request.json();
  const docs = await searchDocs(message);
  const context = docs.map((d) => d.content).join("\n");
  const prompt = `${context}\n\n${message}`;
  const intent = await classifyIntent(message);
  return NextResponse.json({ intent, prompt });
}
