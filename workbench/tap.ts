// Log what a router is given, beside what the user typed: `const route = tap(originalRoute)`.
//
// One file for Node, without dependencies: copy it into your app. It is the twin of the Python file, and
// writes the same lines: each call of the function becomes one line of JSON, `{"time", "turn_id",
// "typed_length", "routed_length", "head", "outcome", "tools", "seconds"}`, which `workbench audit`,
// `capture` and `watch` read. Lengths are in characters (code points), `head` is the first 80 of them. With
// OpenTelemetry in use they are also attributes `route.*` of the span that is active.
//
// It never throws into your app, and never waits: lines are written behind its back, and dropped and
// counted where they come faster than the disk takes them. What is not known is null, not 0.
//
// Say once per turn what was typed, where the app still has it:
//
//     const answer = await turn({ id: "t-17", typed: message.text }, () => handle(message));
//
// or say where it stands among the arguments: `tap(route, { typed: (text, user) => user.words })`.

import { AsyncLocalStorage } from "node:async_hooks";
import { appendFile, appendFileSync } from "node:fs";

export type Turn = { id?: string | number | null; typed?: string | null };

export type Options = {
  /** A path, or a function that takes the record; else the variable ROUTE_LOG, else `routes.jsonl`. */
  to?: string | ((record: any) => void);
  /** Which text is routed, by the arguments; else the first string among them, or the first inside one. */
  text?: (...args: any[]) => unknown;
  /** What the user typed, by the arguments. */
  typed?: (...args: any[]) => unknown;
  /** The id of the turn, by the arguments. */
  turnId?: (...args: any[]) => unknown;
  /** Keep the typed words and all of the routed text: it is a log of what people wrote then. */
  keepText?: boolean;
};

export const HEAD = 80;

const WAITING = 10_000;
const turns = new AsyncLocalStorage();
const waiting = new Map();
const writing = new Set();
let lost = 0;
let count = 0;

/** Within `inside`, every tapped call belongs to this turn, whose user typed these words. */
export function turn<T>(of: Turn, inside: () => T): T {
  return turns.run(of, inside) as T;
}

/** The function, logged. */
export function tap<F extends (...args: any[]) => any>(original: F, options: Options = {}): F {
  const tapped = function (this: any, ...args: any[]): any {
    const began = performance.now();
    let answer: any;
    try {
      answer = original.apply(this, args);
    } catch (error) {
      told(args, options, null, began, error ?? "thrown");
      throw error;
    }
    try {
      if (typeof answer?.then === "function") return promised(answer, args, options, began);
    } catch {
      lost += 1;
      return answer;
    }
    told(args, options, answer, began, null);
    return answer;
  };
  try {
    Object.defineProperty(tapped, "name", { value: original.name });
  } catch {
    // a function without a name that can be read is logged as well
  }
  return tapped as any;
}

/** How many lines were dropped. */
export function dropped(): number {
  return lost;
}

/** Waits until every line so far is written, at most so long. True if they are. */
export async function flush(seconds: number = 2): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (count > 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return count === 0;
}

function promised(answer: any, args: any[], options: Options, began: number): any {
  const here = turns.getStore();
  const done = (value: any): any => {
    turns.run(here, () => told(args, options, value, began, null));
    return value;
  };
  const failed = (error: any): any => {
    turns.run(here, () => told(args, options, null, began, error ?? "rejected"));
    throw error;
  };
  if (answer.constructor === Promise) return answer.then(done, failed);
  // A promise with more to it, such as an SDK's, stays what it is.
  answer.then(done, (error: any): any => {
    try {
      failed(error);
    } catch {
      // the app has the promise itself, and hears of it there
    }
  });
  return answer;
}

function told(args: any[], options: Options, answer: any, began: number, error: any): void {
  try {
    const record = recordOf(args, options, answer);
    record.seconds = Math.round((performance.now() - began) * 1000) / 1e6;
    if (error !== null) record.error = String(error?.name ?? typeof error);
    onSpan(record);
    send(record, options.to);
  } catch {
    lost += 1; // whatever it is, the app comes first
  }
}

function recordOf(args: any[], options: Options, answer: any): any {
  const here = (turns.getStore() ?? {}) as any;
  const given = options.text ? options.text(...args) : args;
  const routed = firstText(given, 4);
  const typed = options.typed ? options.typed(...args) : here.typed;
  const id = options.turnId ? options.turnId(...args) : here.id;
  const [outcome, tools] = read(answer);
  const record: any = {
    time: Date.now() / 1000,
    turn_id: id === undefined || id === null ? null : String(id),
    typed_length: typeof typed === "string" ? lengthOf(typed) : null,
    routed_length: routed === null ? null : lengthOf(routed),
    head: routed === null ? null : [...routed.slice(0, 2 * HEAD)].slice(0, HEAD).join(""),
    outcome,
    tools,
  };
  if (options.keepText) {
    record.typed = typeof typed === "string" ? typed : null;
    record.routed = routed;
  }
  return record;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The first string in it, in the order of a person's reading; null without one. */
function firstText(value: any, depth: number): string | null {
  if (typeof value === "string") return value;
  if (depth === 0 || value === null || typeof value !== "object") return null;
  const named = ["text", "content", "message", "prompt"].filter((key) => key in value).map((key) => value[key]);
  const inside = Array.isArray(value) ? value : [...named, ...Object.values(value)];
  for (const item of inside.slice(0, 50)) {
    const found = firstText(item, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

/** Outcome and names of tools, as far as an answer says so. ([] is: no tool; null: it does not say.) */
function read(answer: any): any[] {
  if (answer === null || answer === undefined || answer === "") return ["pass", []];
  if (typeof answer === "string") {
    if (answer === "hold" || answer === "pass") return [answer, []];
    return ["fire", answer === "fire" ? [] : [answer]];
  }
  if (Array.isArray(answer)) {
    if (answer.length === 0) return ["pass", []];
    const names = answer.map(nameOf);
    return names.includes(null) ? [null, null] : ["fire", names];
  }
  let outcome = field(answer, ["outcome", "action", "decision"]);
  let tools = field(answer, ["tools", "tool", "calls", "tool_calls", "toolCalls", "name"]);
  if (typeof tools === "string") tools = [tools];
  tools = Array.isArray(tools) ? tools.map(nameOf) : null;
  if (tools !== null && tools.includes(null)) tools = null;
  if (typeof outcome !== "string") outcome = tools !== null && tools.length > 0 ? "fire" : null;
  return [outcome, tools];
}

function nameOf(item: any): string | null {
  const own = typeof item === "string" ? item : field(item, ["name", "tool", "toolName"]);
  const name = own ?? field(field(item, ["function"]), ["name"]);
  return typeof name === "string" ? name : null;
}

function field(value: any, names: string[]): any {
  if (value === null || typeof value !== "object") return null;
  for (const name of names) {
    const found = value[name];
    if (found !== null && found !== undefined && typeof found !== "function") return found;
  }
  return null;
}

/** Attributes of the active span, if the app itself uses OpenTelemetry; nothing is imported for it. */
function onSpan(record: any): void {
  const api = (globalThis as any)[Symbol.for("opentelemetry.js.api.1")];
  const span = api?.context?.active?.()?.getValue?.(Symbol.for("OpenTelemetry Context Key SPAN"));
  if (!span) return;
  for (const [key, value] of Object.entries(record)) {
    if (value !== null && !["time", "typed", "routed"].includes(key)) span.setAttribute("route." + key, value);
  }
}

function send(record: any, to: any): void {
  if (typeof to === "function") {
    to(record);
    return;
  }
  const path = to ?? (process.env.ROUTE_LOG || "routes.jsonl");
  if (count >= WAITING) {
    lost += 1;
    return;
  }
  const ascii = (char: string): string => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0");
  const line = JSON.stringify(record).replace(/[\u007f-\uffff]/g, ascii) + "\n";
  count += 1;
  if (!waiting.has(path)) waiting.set(path, []);
  waiting.get(path).push(line);
  if (!writing.has(path)) write(path);
}

/** One write at a time for each file, so that the lines keep their order and stay whole. */
function write(path: string): void {
  const lines = waiting.get(path) ?? [];
  waiting.delete(path);
  if (lines.length === 0) {
    writing.delete(path);
    return;
  }
  writing.add(path);
  appendFile(path, lines.join(""), { mode: 0o600 }, (error: any): void => {
    if (error) lost += lines.length;
    count -= lines.length;
    write(path);
  });
}

process.on("exit", () => {
  for (const [path, lines] of waiting) {
    try {
      appendFileSync(path, lines.join(""), { mode: 0o600 });
    } catch {
      // there is nobody left to tell
    }
  }
});
