// The lines of a transcript or a chat, each with its second in the recording where the times tell it.
import { parseQuery, type Query, QueryFault, type Snippet, toSnippets } from "@call-media/words";
import type { CallRoute } from "../route.ts";
import type { Schema } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { toInstantOf } from "../time.ts";

type Message = Schema<"ChatMessageRecord">;

export type Party = "agent" | "customer" | "other";

export interface Line {
  readonly who: string;
  readonly party: Party;
  readonly said: string;
  /** Seconds of the recording; undefined where they are not known. */
  readonly at: number | undefined;
  /** When it was written, as recorded; empty where it is not known. */
  readonly datetime: string;
}

/** The recording that lines are held against. */
export interface Recorded {
  /** Undefined where it is not known when it began. */
  readonly startMs: number | undefined;
  /** When the next leg began: what is said from then on is in another recording. */
  readonly endMs: number;
}

/** The messages of the call, which have times, else the text of the record, which has none. */
export function toLines(
  record: CallRecord,
  messages: readonly Message[],
  { startMs, endMs }: Recorded,
): readonly Line[] {
  if (messages.length === 0) return toTextLines(record.transcript ?? "");
  return messages.map(({ transcript, datetime, party_type, label }) => {
    const sentMs = toInstantOf(datetime);
    const isWithin =
      startMs !== undefined && sentMs !== undefined && sentMs >= startMs && sentMs < endMs;
    return {
      who: label ?? party_type,
      party: toParty(party_type),
      said: transcript ?? "",
      at: isWithin ? (sentMs - startMs) / 1000 : undefined,
      datetime,
    };
  });
}

/** Lines like "Agent: ..."; a line without a speaker continues the one before. */
export function toTextLines(text: string): Line[] {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, who = "", said = line] = /^([^:]{1,30}): (.*)$/s.exec(line) ?? [];
      return { who, party: toParty(who), said, at: undefined, datetime: "" };
    });
}

function toParty(name: string): Party {
  if (/agent|operator|advisor/i.test(name)) return "agent";
  return /customer|caller|client/i.test(name) ? "customer" : "other";
}

/** A leg, as far as it says when its recordings began. */
interface Heard {
  readonly record: Pick<CallRecord, "datetime">;
  /** The numbers of its recordings. */
  readonly parts: readonly number[];
  /** When the next leg of the call begins. */
  readonly endMs: number;
}

/** A later recording of a leg begins where those before it end, if their lengths and its own are known. */
export function toRecorded(
  { record, parts, endMs }: Heard,
  part: number | undefined,
  lengths: ReadonlyMap<number, number> = new Map(),
): Recorded {
  const legMs = toInstantOf(record.datetime);
  const before = parts.filter((one) => one < (part ?? 0)).map((one) => lengths.get(one));
  const length = lengths.get(part ?? 0);
  // Without its own end, a later recording would take the lines of those behind it.
  const isKnown = before.length === 0 || ![...before, length].includes(undefined);
  const seconds = before.reduce<number>((sum, one = 0) => sum + one, 0);
  const startMs = legMs === undefined || !isKnown ? undefined : legMs + seconds * 1000;
  return { startMs, endMs: Math.min(endMs, (startMs ?? 0) + (length ?? Infinity) * 1000) };
}

/** The line that is said at a second; -1 before the first. */
export const findLineAt = (lines: readonly Line[], seconds: number): number =>
  lines.findLastIndex(({ at }) => at !== undefined && at <= seconds + 0.2);

export const hasTimes = (lines: readonly Line[]): boolean =>
  lines.some(({ at }) => at !== undefined);

export interface Hit {
  readonly line: number;
  /** Where in the text it begins, and how long it is. */
  readonly start: number;
  readonly length: number;
}

/** Finds what was typed on the page of the call, or else the words by which the call was found. */
export const findHits = (
  lines: readonly Line[],
  { find, words }: Pick<CallRoute, "find" | "words">,
): readonly Hit[] => (find === "" ? findWords(lines, words) : findText(lines, find));

/**
 * The first place with the most words: one line, or else the lines from the first word to the last. `message` is the
 * line in which it begins.
 */
export function findPassage(
  lines: readonly Line[],
  words: string,
  characters = 160,
): Snippet | undefined {
  const query = words === "" ? undefined : tryParse(words);
  if (query === undefined) return undefined;
  const options = { characters, snippets: 1 };
  const texts = lines.map(({ said }) => said.replaceAll(/[\r\n]/g, " "));
  const sources = texts.map((text, message) => ({ from: "chat", message, text }));
  const [inOne] = toSnippets(sources, query, options);
  const [inAll] = toSnippets([{ from: "chat", text: texts.join("\n") }], query, options);
  return inAll !== undefined && countMarked(inAll) > countMarked(inOne)
    ? toWholeLines(inAll, texts.join("\n"))
    : inOne;
}

const countMarked = (snippet: Snippet | undefined): number =>
  new Set(snippet?.marks.map(([start, end]) => snippet.text.slice(start, end).toLowerCase())).size;

/** Without the lines before the first mark and after the last one. */
function toWholeLines({ from, offset, text, marks, cut }: Snippet, all: string): Snippet {
  const first = text.lastIndexOf("\n", marks[0]?.[0]) + 1;
  const after = text.indexOf("\n", marks.at(-1)?.[1]);
  const end = after < 0 ? text.length : after;
  return {
    from,
    message: all.slice(0, offset + first).split("\n").length - 1,
    offset: offset + first,
    text: text.slice(first, end).replaceAll("\n", " "),
    marks: marks.map(([start, until]) => [start - first, until - first]),
    cut: { before: cut.before && first === 0, after: cut.after && after < 0 },
  };
}

// The listener hears the beginning of the sentence.
const LEAD_SECONDS = 1;

/** The second from which a line is to be heard; undefined where it is not known. */
export const toStart = (line: Line | undefined): number | undefined =>
  line?.at === undefined ? undefined : toLead(line.at);

export const toLead = (second: number): number => Math.max(0, second - LEAD_SECONDS);

/** The second of the leg at which a line was said, whatever recording has it; undefined where that is not known. */
export function toSecond({ record, endMs }: Omit<Heard, "parts">, line: Line): number | undefined {
  const [startMs, sentMs] = [toInstantOf(record.datetime), toInstantOf(line.datetime)];
  const isWithin =
    startMs !== undefined && sentMs !== undefined && sentMs >= startMs && sentMs < endMs;
  return isWithin ? (sentMs - startMs) / 1000 : undefined;
}

function findWords(lines: readonly Line[], words: string): readonly Hit[] {
  const query = words === "" ? undefined : tryParse(words);
  if (query === undefined) return [];
  return lines.flatMap(({ said: text }, line) => {
    const options = { characters: text.length, snippets: 1 };
    const [whole] = toSnippets([{ from: "transcript", text }], query, options);
    return (whole?.marks ?? []).map(([start, end]) => ({ line, start, length: end - start }));
  });
}

/** Undefined for what cannot be searched for: anything may stand in an address. */
function tryParse(words: string): Query | undefined {
  try {
    return parseQuery(words);
  } catch (error) {
    if (error instanceof QueryFault) return undefined;
    throw error;
  }
}

/** Letter case and accents do not count; positions are those of the original text. */
function findText(lines: readonly Line[], wanted: string): readonly Hit[] {
  const pattern = wanted.trim();
  if (pattern === "") return [];
  const folded = Array.from(pattern, foldOne).join("");
  return lines.flatMap(({ said }, line) => {
    const letters = Array.from(said);
    const text = letters.map(foldOne);
    const hits: Hit[] = [];
    for (let start = 0; start < letters.length; start++) {
      let found = "";
      let end = start;
      while (end < letters.length && found.length < folded.length) found += text[end++] ?? "";
      if (found !== folded) continue;
      const before = letters.slice(0, start).join("").length;
      hits.push({ line, start: before, length: letters.slice(start, end).join("").length });
      start = end - 1;
    }
    return hits;
  });
}

const foldOne = (letter: string): string =>
  letter.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
