// Why a call was found by its words: the passage that has most of them, who said it, and when in the recording.
import { type CallMediaClient, type CallRecord, isCallMediaError } from "@call-media/client";
import { signal } from "@preact/signals";
import { listSources, parseQuery, QueryFault, type Snippet, toSnippets } from "@call-media/words";
import { findPassage, type Line, toTextLines } from "../call/lines.ts";
import { findLeg, readLines } from "../call/load.ts";
import { isField } from "../fields.ts";
import { text } from "../text/text.ts";
import { nameColumn } from "./labels.ts";

interface Found extends Pick<Snippet, "text" | "marks" | "cut"> {
  /** Who said it, or the field in which it stands. */
  readonly who: string;
  /** Second of the recording, where it is known. */
  readonly at: number | undefined;
}

export interface Passages {
  /** A sentence where there is none to show; undefined until it is known. */
  readonly of: (record: CallRecord) => Found | string | undefined;
  /** The lines of the call, with their times; each is read once. */
  readonly linesOf: (record: CallRecord) => Promise<readonly Line[]>;
  /** Reads the chats of those of the records in which nothing else has the words, each once. */
  readonly want: (records: readonly CallRecord[]) => void;
  readonly dispose: () => void;
}

// As many as a line has.
const countCharacters = () => (matchMedia("(max-width: 40rem)").matches ? 60 : 140);

/** Why nothing can be searched for by these words; undefined if it can. */
export function toFault(words: string): string | undefined {
  try {
    parseQuery(words);
    return undefined;
  } catch (error) {
    if (error instanceof QueryFault) return error.message;
    throw error;
  }
}

// While the reader scrolls, rows that fly past are not asked for.
const SETTLE_MS = 300;
const AT_ONCE = 2;

export function findPassages(client: CallMediaClient, words: string): Passages {
  // A long transcript is gone through once.
  const known = new WeakMap<CallRecord, Found | null>();
  const said = signal<ReadonlyMap<CallRecord, readonly Line[] | string>>(new Map());
  const asked = new Map<CallRecord, Promise<readonly Line[]>>();
  const aborter = new AbortController();
  let waiting: CallRecord[] = [];
  let settling: ReturnType<typeof setTimeout> | undefined;

  function of(record: CallRecord): ReturnType<Passages["of"]> {
    const lines = said.value.get(record);
    if (typeof lines === "string") return lines;
    const found = known.get(record) ?? toFound(record, words, lines);
    known.set(record, found);
    return found ?? text.value.inChat;
  }

  async function read(record: CallRecord): Promise<readonly Line[]> {
    const lines = await readSaid(client, record, aborter.signal);
    known.delete(record);
    said.value = new Map([...said.value, [record, lines]]);
    return typeof lines === "string" ? [] : lines;
  }

  /** Whoever cannot be told what was said sees why as soon as the call is opened. */
  function linesOf(record: CallRecord): Promise<readonly Line[]> {
    const lines = asked.get(record) ?? read(record).catch(() => []);
    asked.set(record, lines);
    return lines;
  }

  async function pump(): Promise<void> {
    const record = waiting.pop();
    if (record === undefined || aborter.signal.aborted) return;
    await linesOf(record);
    await pump();
  }

  return {
    of,
    linesOf,
    want(records) {
      clearTimeout(settling);
      settling = setTimeout(() => {
        waiting = records
          .filter((one) => !asked.has(one) && typeof of(one) === "string")
          .toReversed();
        for (let under = 0; under < AT_ONCE; under++) void pump();
      }, SETTLE_MS);
    },
    dispose() {
      clearTimeout(settling);
      aborter.abort();
    },
  };
}

/** Null where neither the record nor what is known of its chat has the words. */
function toFound(
  record: CallRecord,
  words: string,
  lines: readonly Line[] = toTextLines(record.transcript ?? ""),
): Found | null {
  const characters = countCharacters();
  const said = findPassage(lines, words, characters);
  const line = lines[said?.message ?? -1];
  if (said !== undefined && line !== undefined) return { ...said, who: line.who, at: line.at };
  // The service has taken them.
  const query = parseQuery(words);
  const options = { characters, snippets: 1 };
  const [passage] = toSnippets(listSources(record), query, options);
  if (passage === undefined) return null;
  const { from } = passage;
  const who = from === "customer" || isField(from) ? nameColumn(from) : from;
  return { ...passage, who, at: undefined };
}

/** The lines of a record's call; a sentence where they may not be read. @throws CallMediaError */
export async function readSaid(
  client: CallMediaClient,
  record: CallRecord,
  aborted: AbortSignal,
): Promise<readonly Line[] | string> {
  try {
    const { leg } = (await findLeg(client, record, aborted)) ?? {};
    return leg === undefined ? [] : await readLines(client, leg, aborted);
  } catch (error) {
    if (isCallMediaError(error, "PermissionError")) return text.value.inChatUnread;
    throw error;
  }
}
