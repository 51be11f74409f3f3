type Slot = readonly [name: string, oneLine: boolean, last: boolean, mark: string];

/**
 * The values of the slots, or null where the turn has another form; in linear time.
 *
 * `head` stands before the first slot. A slot is its name, whether its value is one line, whether it
 * ends at the last place where it could, and the mark behind it. Slots of one name have one value.
 */
function splitTurn(turn: string, head: string, slots: readonly Slot[]): Map<string, string> | null {
  const places = markPlaces(turn, head.length, slots);
  if (!turn.startsWith(head) || places[0].length === 0) return null;
  const names = slots.map((slot) => slot[0]);
  const again = names.findIndex((name, at) => names.includes(name, at + 1));
  for (let skipped = 0; skipped < (again >= 0 ? 100 : 1); skipped++) {
    const values = new Map();
    let start = head.length;
    let number = 0;
    for (; number < slots.length; number++) {
      const [name, oneLine, last, mark] = slots[number];
      const feed = oneLine ? turn.indexOf("\n", start) : -1;
      const begin = start;
      let ends = places[number].filter((at) => begin <= at && (feed < 0 || at <= feed));
      const known = values.get(name);
      if (known !== undefined) ends = ends.filter((at) => at === begin + known.length && turn.startsWith(known, begin));
      const copy = values.get(names[number + 1]);
      if (copy !== undefined) {
        const fitting = new Set(places[number + 1]);
        ends = ends.filter((at) => {
          const next = at + mark.length;
          return fitting.has(next + copy.length) && turn.startsWith(copy, next);
        });
      }
      if (last) ends.reverse();
      if (number === again) ends = ends.slice(skipped);
      if (ends.length === 0) break;
      values.set(name, turn.slice(start, ends[0]));
      start = ends[0] + mark.length;
    }
    if (number === slots.length) return values;
  }
  return null;
}

/** For each slot, where the mark behind it can stand so that all that follows still fits. */
function markPlaces(turn: string, first: number, slots: readonly Slot[]): number[][] {
  const end = turn.length - slots[slots.length - 1][3].length;
  let after = end >= first && turn.endsWith(slots[slots.length - 1][3]) ? [end] : [];
  const places = [after];
  for (let number = slots.length - 1; number > 0; number--) {
    const mark = slots[number - 1][3];
    const oneLine = slots[number][1];
    const found = [];
    let nearest = after.length;
    let feed = turn.length;
    let seen = turn.length;
    let at = after.length > 0 ? turn.lastIndexOf(mark) : -1;
    while (at >= first) {
      const start = at + mark.length;
      while (nearest > 0 && after[nearest - 1] >= start) nearest--;
      const nextFeed = turn.slice(start, seen).indexOf("\n");
      if (nextFeed >= 0) feed = start + nextFeed;
      seen = start;
      if (nearest < after.length && (!oneLine || after[nearest] <= feed)) found.push(at);
      at = at > 0 ? turn.lastIndexOf(mark, at - 1) : -1;
    }
    found.reverse();
    after = found;
    places.unshift(after);
  }
  return places;
}

function fromHtml(text: string): string {
  const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi, (whole, hex, digits, name) => {
    if (name) return names[name] ?? whole;
    const point = hex ? parseInt(hex, 16) : parseInt(digits, 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

function fromJson(text: string): string {
  try {
    return String(JSON.parse('"' + text + '"'));
  } catch {
    return text;
  }
}

function fromLink(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fromForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function fromCsv(text: string): string {
  return text.replaceAll('""', '"');
}

function fromSql(text: string): string {
  return text.replaceAll("''", "'");
}

function fromIndent2(text: string): string {
  return text.replace(/\n {1,2}/g, "\n");
}

function fromIndent4(text: string): string {
  return text.replace(/\n {1,4}/g, "\n");
}

function fromBr(text: string): string {
  return text.replace(/<br ?\/?>\n?/g, "\n");
}

function fromBase64(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/\s+/g, "")), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return text;
  }
}

function fromQuote(text: string): string {
  return text.split("\n").map((line) => (line.startsWith("> ") ? line.slice(2) : line.startsWith(">") ? line.slice(1) : line)).join("\n");
}

function fromCrlf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function fromSoftWrap(text: string): string {
  const lines = text.split("\n");
  let joined = lines[0];
  for (let number = 1; number < lines.length; number++) {
    const length = [...lines[number - 1]].length + 1 + [...lines[number].split(" ", 1)[0]].length;
    joined += (length > 78 ? " " : "\n") + lines[number];
  }
  return joined;
}
