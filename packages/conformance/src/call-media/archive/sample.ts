// What a run knows about the archive: a window of records, the users, some recordings and chats.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../../ask.ts";
import { recordsOf } from "../answer.ts";
import type { Hints } from "../target.ts";
import type { Run } from "../run.ts";
import { openWindow, type Window } from "./window.ts";

export interface Sample {
  readonly window: Window | undefined;
  readonly users: readonly JsonObject[];
  readonly recordings: readonly RecordingSample[];
  readonly chats: readonly ChatSample[];
}

/** A call with a recording, as getRecordingByCallId returns it. */
export interface RecordingSample {
  readonly callId: string;
  /** Its record in the window; undefined if there are several or none. */
  readonly record: JsonObject | undefined;
  readonly answer: Answer;
  readonly filename: string;
  /** The base64 text as received; `bytes` is its decoded form. */
  readonly base64: string;
  readonly bytes: Buffer;
}

export interface ChatSample {
  readonly callId: string;
  readonly answer: Answer;
}

const MAX_RECORDINGS = 5;
const MAX_RECORDING_TRIES = 8;
const MAX_CHATS = 3;
export const MAX_CHAT_TRIES = 12;

export async function takeSample(run: Run, hints: Hints): Promise<Sample> {
  const window = await openWindow(run, hints);
  const users = recordsOf(await run.ask({ operation: "listUsers", query: { status: "all" } }));
  const records = window?.records ?? [];
  return {
    window,
    users,
    recordings: await findRecordings(run, records, hints.call_ids ?? []),
    chats: await findChats(run, records, hints.chat_call_ids ?? []),
  };
}

export function callIdOf(record: JsonObject): string | undefined {
  const id = record["call_id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

async function findRecordings(run: Run, records: readonly JsonObject[], hinted: readonly string[]) {
  const found: RecordingSample[] = [];
  const ids = listDistinct([...hinted, ...listRecorded(records)]).slice(0, MAX_RECORDING_TRIES);
  for (const callId of ids) {
    if (found.length >= MAX_RECORDINGS) break;
    const answer = await run.ask({ operation: "getRecordingByCallId", path: { call_id: callId } });
    const data = isObject(answer.json) && isObject(answer.json["data"]) ? answer.json["data"] : {};
    const { filename, base64, success } = data;
    if (!answer.isSuccess || typeof base64 !== "string") continue;
    if (success === false && base64 === "") continue;
    run.prove("answer.success", answer, undefined);
    const ofCall = records.filter((record) => record["call_id"] === callId);
    found.push({
      callId,
      record: ofCall.length === 1 ? ofCall[0] : undefined,
      answer,
      filename: String(filename),
      base64,
      bytes: Buffer.from(base64, "base64"),
    });
  }
  return found;
}

/** Calls that seem to have a recording: one of each kind before a second of any kind. */
function listRecorded(records: readonly JsonObject[]): string[] {
  const named = records.filter(({ recordings }) => namesOf(recordings) !== "");
  const candidates = named.length > 0 ? named : records;
  const kinds = Object.values(Object.groupBy(candidates, toKind)).map((kind) => kind ?? []);
  const turns = Array.from({ length: MAX_RECORDING_TRIES }, (_, turn) => turn);
  const inTurn = turns.flatMap((turn) => kinds.flatMap((kind) => kind.slice(turn, turn + 1)));
  return inTurn.flatMap((record) => callIdOf(record) ?? []);
}

function toKind({ recordings, call_id: id }: JsonObject): string {
  const names = namesOf(recordings).split(";");
  const extension = /\.(\w+)\s*$/.exec(names[0] ?? "")?.[1] ?? "";
  const isPlain = /^[\w-]*$/.test(String(id));
  return `${names.length > 1 ? "several" : extension} ${isPlain}`;
}

/** Names separated by semicolons. The interface gives `recordings` no type (D02), so they may also come as a list. */
export function namesOf(recordings: unknown): string {
  const names = Array.isArray(recordings) ? recordings : [recordings ?? ""];
  const texts = names.map((name) => (typeof name === "string" ? name : JSON.stringify(name)));
  return texts.join(";");
}

async function findChats(run: Run, records: readonly JsonObject[], hinted: readonly string[]) {
  const found: ChatSample[] = [];
  const isWritten = (record: JsonObject) =>
    [record["media"], record["call_type"], record["campaign_type"]].some((value) =>
      /chat|text|sms|messag/i.test(String(value)),
    );
  const likely = records.filter(isWritten).slice(0, MAX_CHAT_TRIES / 2);
  const isBare = (record: JsonObject) => Number(record["transcript"] === null);
  // No field says that a call has a chat. Without a hint, any call may have one.
  const others = records
    .filter((record) => !isWritten(record))
    .toSorted((one, other) => isBare(one) - isBare(other));
  const ids = [...likely, ...others].flatMap((record) => callIdOf(record) ?? []);
  for (const callId of listDistinct([...hinted, ...ids]).slice(0, MAX_CHAT_TRIES)) {
    if (found.length >= MAX_CHATS) break;
    const answer = await run.ask({ operation: "getChatByCallId", path: { call_id: callId } });
    if (!answer.isSuccess || recordsOf(answer).length === 0) continue;
    run.prove("answer.success", answer, undefined);
    found.push({ callId, answer });
  }
  return found;
}

function listDistinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
