// A conversation of a transcript, and its chat messages.
import { basename } from "node:path";
import type { CallStore } from "@call-media/store";
import { parseDatetime } from "@call-media/store/values";
import { RowFault, type SourceFile } from "../../source-row.ts";
import type { Entry } from "../format.ts";

export interface Message {
  /** The speaker's name in the transcript. */
  readonly speaker?: string | undefined;
  /** The speaker's role, if the transcript names it. */
  readonly role?: string | undefined;
  readonly text: string;
  /** Date and time; without an offset in the time zone of the import. */
  readonly datetime?: string | undefined;
  /** Since the start of the conversation; default 0. Ignored if there is a datetime. */
  readonly offsetMs?: number | undefined;
}

export interface Conversation {
  /** call_id of the call; undefined if only the file's name has it. */
  readonly callId?: string | undefined;
  readonly start?: { readonly text: string; readonly timeZone?: string | undefined } | undefined;
  readonly messages: readonly Message[];
}

/** The known facts about a conversation outside of its transcript. */
export interface Surroundings {
  /** The file's name without folder and extension: the default call_id of a conversation. */
  readonly name: string;
  readonly timeZone: string;
  /** When the call with that identifier began, in ms since 1970; undefined if the archive does not know. */
  readonly findStartMs: (callId: string) => Promise<number | undefined>;
}

export function createSurroundings(
  file: SourceFile,
  timeZone: string,
  openArchive: () => Promise<CallStore>,
): Surroundings {
  // The turns of one conversation follow each other.
  let last: { callId: string; startMs: Promise<number | undefined> } | undefined;
  return {
    name: basename(file.name).replace(/(?:\.(?:jsonl?|ndjson|txt|textgrid|gz))+$/i, ""),
    timeZone,
    findStartMs: (callId) => {
      if (last?.callId !== callId) last = { callId, startMs: askArchive(openArchive, callId) };
      return last.startMs;
    },
  };
}

/** Throws `RowFault` if the time of the conversation is unknown. */
export async function toEntries(
  { callId: ownId, start, messages }: Conversation,
  surroundings: Surroundings,
): Promise<Entry[]> {
  const { name, timeZone } = surroundings;
  const callId = ownId ?? name;
  const hasTimes = messages.every(({ datetime }) => datetime !== undefined);
  const ownMs = start && readStart(start.text, start.timeZone ?? timeZone);
  const startMs = ownMs ?? (hasTimes ? 0 : await needStartMs(callId, surroundings));
  return messages.map(({ speaker, role, text, datetime, offsetMs = 0 }) => ({
    kind: "chat",
    call_id: callId,
    room_id: callId,
    datetime: datetime ?? new Date(startMs + offsetMs).toISOString(),
    party_type: toPartyType(role ?? speaker),
    label: speaker ?? null,
    transcript: text,
  }));
}

/** Throws `RowFault` if the archive does not know. */
export async function needStartMs(callId: string, { findStartMs }: Surroundings): Promise<number> {
  const startMs = await findStartMs(callId);
  if (startMs !== undefined) return startMs;
  throw new RowFault(
    `datetime: the transcript does not say when the conversation was, and the archive has no call "${callId}" that does: import the calls first`,
  );
}

// The words of platforms and corpora for the two sides, and for other speakers.
const PARTY_TYPES: Readonly<Record<string, readonly string[]>> = {
  agent: ["agent", "advisor", "representative", "rep", "operator", "assistant", "support"],
  customer: ["customer", "caller", "client", "user", "patient", "visitor", "guest", "consumer"],
  system: ["system", "bot", "chatbot", "ivr", "action", "virtual agent", "custom_bot"],
};

/** `participant` if nothing shows a side. */
function toPartyType(speaker: string | undefined): string {
  const word = speaker?.trim().toLowerCase() ?? "";
  const found = Object.entries(PARTY_TYPES).find(([, words]) => words.includes(word));
  return found?.[0] ?? "participant";
}

/** True for a word that names a side of a conversation. */
export function isRole(word: string): boolean {
  return toPartyType(word) !== "participant";
}

function readStart(text: string, timeZone: string): number {
  const parsed = parseDatetime(text, timeZone);
  if (typeof parsed === "string") throw new RowFault(`the start of the conversation: ${parsed}`);
  return parsed.instantMs;
}

// The earliest record: the call began with it.
async function askArchive(
  open: () => Promise<CallStore>,
  callId: string,
): Promise<number | undefined> {
  const { calls, timeZone } = await open();
  const records = await calls.byCallId(callId, "everything");
  const instants = records.flatMap(({ datetime }) => {
    const parsed = datetime === null ? "" : parseDatetime(datetime, timeZone);
    return typeof parsed === "string" ? [] : [parsed.instantMs];
  });
  return instants.length === 0 ? undefined : Math.min(...instants);
}
