// Praat's TextGrid in its long form: a tier a speaker, whose intervals say what was said and when, in seconds from the start.
import { readLines } from "../../lines.ts";
import { RowFault, type SourceRow } from "../../source-row.ts";
import { type Surroundings, toEntries } from "./conversation.ts";

const MAX_LINE_BYTES = 1024 * 1024;
const MAX_TEXT_LENGTH = 1024 * 1024;
const TOO_LONG = `the text is longer than ${MAX_TEXT_LENGTH.toLocaleString("en")} characters`;

const MEMBER = /^\s*(?<key>name|xmin|text) = (?<value>.*)$/;

export function isTextGrid(beginning: string): boolean {
  return /^File type = "ooTextFile"\s+Object class = "TextGrid"\s+xmin = /u.test(beginning);
}

/** A row for each interval with text. */
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

/** Each side of a call often has a file of its own, named by call and side: `4711_agent.TextGrid`. */
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
  let open: OpenText | undefined;
  for await (const row of readLines(chunks, MAX_LINE_BYTES)) {
    if ("reason" in row) {
      yield row;
      continue;
    }
    const { key, value = "" } = MEMBER.exec(open === undefined ? row.text : "")?.groups ?? {};
    if (key === "name") tier = unquote(value);
    if (key === "xmin") seconds = Number(value);
    if (key === "text") open = addLine({ line: row.line, raw: [], length: 0, marks: 0 }, value);
    else if (open !== undefined) open = addLine(open, row.text);
    if (open === undefined || (!isClosed(open) && open.length <= MAX_TEXT_LENGTH)) continue;
    const [line, raw] = [open.line, open.raw.join("\n")];
    const reason = isClosed(open) ? toFault(seconds) : TOO_LONG;
    const text = unquote(raw).trim();
    open = undefined;
    if (reason !== undefined) yield { line, raw, reason };
    else if (text !== "") yield { line, raw, tier, text, seconds };
  }
  if (open !== undefined)
    yield { line: open.line, raw: open.raw.join("\n"), reason: "the file ends within a text" };
}

/** A text whose closing quotation mark has not come yet; two of them within it stand for one. */
interface OpenText {
  readonly line: number;
  readonly raw: string[];
  readonly length: number;
  /** Quotation marks so far. */
  readonly marks: number;
}

function addLine({ line, raw, length, marks }: OpenText, text: string): OpenText {
  raw.push(text);
  const more = text.split('"').length - 1;
  return { line, raw, length: length + text.length, marks: marks + more };
}

function isClosed({ marks }: OpenText): boolean {
  return marks > 0 && marks % 2 === 0;
}

function toFault(seconds: number): string | undefined {
  return seconds >= 0 ? undefined : "xmin: the interval does not say when it begins";
}

function unquote(quoted: string): string {
  return quoted.trim().replace(/^"/, "").replace(/"$/, "").replaceAll('""', '"');
}
