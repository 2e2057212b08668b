// Shows why a call matched the words: the passage with most of them, who said it, and when in the recording.
import { type CallMediaClient, type CallRecord, isCallMediaError } from "@call-media/client";
import { signal } from "@preact/signals";
import { listSources, parseQuery, QueryFault, type Snippet, toSnippets } from "@call-media/words";
import { findPassage, type Line, toTextLines } from "../call/lines.ts";
import { findLeg, readLines } from "../call/load.ts";
import { isField } from "../fields.ts";
import { text } from "../text/text.ts";
import { nameColumn } from "./labels.ts";

interface Found extends Pick<Snippet, "text" | "marks" | "cut"> {
  /** The speaker, or the field that contains the passage. */
  readonly who: string;
  /** The second of the recording, if known. */
  readonly at: number | undefined;
}

export interface Passages {
  /** A sentence for a call without a passage; undefined until known. */
  readonly of: (record: CallRecord) => Found | string | undefined;
  /** The lines of the call with their times. Each call is read once. */
  readonly linesOf: (record: CallRecord) => Promise<readonly Line[]>;
  /** Reads the chats of those records in which nothing else has the words. Each chat is read once. */
  readonly want: (records: readonly CallRecord[]) => void;
  readonly dispose: () => void;
}

// As many characters as fit on a line.
const countCharacters = () => (matchMedia("(max-width: 40rem)").matches ? 60 : 140);

/** Why these words cannot be searched for; undefined if they can. */
export function toFault(words: string): string | undefined {
  try {
    parseQuery(words);
    return undefined;
  } catch (error) {
    if (error instanceof QueryFault) return error.message;
    throw error;
  }
}

// Rows that pass during fast scrolling are not requested.
const SETTLE_MS = 300;
const AT_ONCE = 2;

export function findPassages(client: CallMediaClient, words: string): Passages {
  // Searches a long transcript only once.
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

  /** Empty if the lines cannot be read; opening the call shows the reason. */
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

/** Null if neither the record nor the part of its chat known so far has the words. */
function toFound(
  record: CallRecord,
  words: string,
  lines: readonly Line[] = toTextLines(record.transcript ?? ""),
): Found | null {
  const characters = countCharacters();
  const said = findPassage(lines, words, characters);
  const line = lines[said?.message ?? -1];
  if (said !== undefined && line !== undefined) return { ...said, who: line.who, at: line.at };
  // Valid, because the service accepted them.
  const query = parseQuery(words);
  const options = { characters, snippets: 1 };
  const [passage] = toSnippets(listSources(record), query, options);
  if (passage === undefined) return null;
  const { from } = passage;
  const who = from === "customer" || isField(from) ? nameColumn(from) : from;
  return { ...passage, who, at: undefined };
}

/** The lines of a record's call, or a sentence if they may not be read. @throws CallMediaError */
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
