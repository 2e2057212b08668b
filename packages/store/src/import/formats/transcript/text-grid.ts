// Praat's TextGrid in its long form: a tier a speaker, whose intervals say what was said and when, in seconds from the start.
import { readLines } from "../../lines.ts";
import { RowFault, type SourceRow } from "../../source-row.ts";
import { type Surroundings, toEntries } from "./conversation.ts";

const MAX_LINE_BYTES = 1024 * 1024;

const MEMBER = /^\s*(?<key>name|xmin|text) = (?<value>.*)$/;

export function isTextGrid(beginning: string): boolean {
  return /^File type = "ooTextFile"\s+Object class = "TextGrid"\s+xmin = /u.test(beginning);
}

/** A row for each interval in which something is said. */
export async function* readTextGrid(
  chunks: AsyncIterable<Buffer>,
  surroundings: Surroundings,
): AsyncGenerator<SourceRow> {
  const { callId, side } = await findCall(surroundings);
  for await (const interval of readIntervals(chunks)) {
    if ("reason" in interval) {
      yield interval;
      continue;
    }
    const { line, raw, tier, text, seconds } = interval;
    const speaker = NAMELESS.test(tier) ? (side ?? tier) : tier;
    const message = { speaker, text, offsetMs: Math.round(seconds * 1_000) };
    try {
      yield { line, raw, entries: await toEntries({ callId, messages: [message] }, surroundings) };
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      yield { line, raw, reason: `${error.message}; nothing was read from here on` };
      return;
    }
  }
}

const NAMELESS = /^(?:speaker)?$/i;

/** Each side of a call is often in a file of its own, named by the call and the side: `4711_agent.TextGrid`. */
async function findCall({
  name,
  findStartMs,
}: Surroundings): Promise<{ callId: string; side: string | undefined }> {
  const [, callId, side] = /^(.+)[-_.]([^-_.]+)$/u.exec(name) ?? [];
  if (callId === undefined || (await findStartMs(name)) !== undefined)
    return { callId: name, side: undefined };
  return { callId, side };
}

interface Interval {
  readonly line: number;
  readonly raw: string;
  readonly tier: string;
  readonly text: string;
  readonly seconds: number;
}

async function* readIntervals(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Interval | Extract<SourceRow, { reason: string }>> {
  let tier = "";
  let seconds = Number.NaN;
  let open: { line: number; raw: string } | undefined; // a text whose quotation mark has not been closed
  for await (const row of readLines(chunks, MAX_LINE_BYTES)) {
    if ("reason" in row) {
      yield row;
      continue;
    }
    const { key, value = "" } = MEMBER.exec(open === undefined ? row.text : "")?.groups ?? {};
    if (key === "name") tier = unquote(value) ?? "";
    if (key === "xmin") seconds = Number(value);
    if (key === "text") open = { line: row.line, raw: value };
    else if (open !== undefined) open = { ...open, raw: `${open.raw}\n${row.text}` };
    const text = open && unquote(open.raw);
    if (open === undefined || text === undefined) continue;
    const { line, raw } = open;
    open = undefined;
    if (text.trim() === "") continue;
    yield seconds >= 0
      ? { line, raw, tier, text: text.trim(), seconds }
      : { line, raw, reason: "xmin: the interval does not say when it begins" };
  }
  if (open !== undefined) yield { ...open, reason: "the file ends within a text" };
}

/** Undefined while the closing mark is missing; two of them stand for one. */
function unquote(quoted: string): string | undefined {
  const [, text] = /^\s*"((?:[^"]|"")*)"\s*$/u.exec(quoted) ?? [];
  return text?.replaceAll('""', '"');
}
