// Formats the transcript and the chat of a call as text, WebVTT or JSON.
import type { ShowDatetime } from "@call-media/conditions";
import { type CallRecord, toSeconds } from "@call-media/client";
import type { Message } from "@call-media/handover";
import { CommandFailure } from "../failures/command-failure.ts";
import { toPrintable } from "@call-media/terminal";
import type { Call } from "./look-up.ts";
import { toSent } from "./sent.ts";
import { toChatText, toSpeaker } from "./text.ts";

const asWritten: ShowDatetime = (text) => text;

/** @throws CommandFailure if there is neither speech nor a chat. */
export function toTranscriptText(call: Call, showDatetime: ShowDatetime = asWritten): string {
  const { spoken, messages } = toTranscript(call);
  const chat = messages.length > 0 ? [toChatText(messages, showDatetime)] : [];
  const toText = ({ leg, text }: Spoken) =>
    spoken.length === 1 ? toPrintable(text) : `${toHead(leg, showDatetime)}\n${toPrintable(text)}`;
  return [...spoken.map(toText), ...chat].join("\n\n");
}

/** @throws CommandFailure if there is neither speech nor a chat. */
export function toTranscriptJson(call: Call): string {
  const { call_id, records } = call;
  const datetime = records[0]?.datetime ?? null; // of the oldest leg
  const { spoken, messages } = toTranscript(call);
  return JSON.stringify(
    { call_id, datetime, spoken: spoken.map(({ text }) => text), messages },
    undefined,
    2,
  );
}

interface Spoken {
  readonly leg: CallRecord;
  readonly text: string;
}

/** The speaker and the start, in a call of several legs. */
function toHead({ datetime, agent, agent_name }: CallRecord, showDatetime: ShowDatetime): string {
  const when = datetime === null ? [] : [showDatetime(datetime)];
  return [...when, toPrintable(agent_name ?? agent ?? "Agent")].join("  ").replaceAll("\n", " ");
}

/** The oldest leg first. Legs of a transfer often have the same transcript. */
function toTranscript({ call_id, records, messages }: Call) {
  const byText = new Map<string, Spoken>();
  for (const leg of records)
    if (leg.transcript !== null && !byText.has(leg.transcript))
      byText.set(leg.transcript, { leg, text: leg.transcript });
  const spoken = [...byText.values()];
  if (spoken.length === 0 && messages.length === 0)
    throw new CommandFailure(`call ${call_id} has neither a transcript nor a chat`);
  return { spoken, messages };
}

interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

/**
 * WebVTT. From the first message on, each is shown until the next. A transcript has no times in the interface: it is one cue, as long as
 * its leg. The cues of several legs follow each other.
 *
 * @throws CommandFailure if the call has no messages, or its duration is unknown.
 */
export function toWebVtt(call: Call): string {
  const { spoken, messages } = toTranscript(call);
  const cues = [...toSpokenCues(spoken, call), ...toChatCues(messages)];
  const blocks = cues
    .toSorted((one, other) => one.startMs - other.startMs)
    .map(({ startMs, endMs, text }) => `${toTime(startMs)} --> ${toTime(endMs)}\n${text}`);
  return ["WEBVTT", ...blocks].join("\n\n");
}

function toSpokenCues(spoken: readonly Spoken[], { call_id }: Call): readonly Cue[] {
  let startMs = 0;
  return spoken.map(({ leg: { talk_time, handle_time }, text }) => {
    const seconds = toSeconds(talk_time) || toSeconds(handle_time);
    if (!seconds)
      throw new CommandFailure(
        `call ${call_id} has no talk_time, so that its transcript has no times: --format text has it`,
      );
    const cue = { startMs, endMs: startMs + seconds * 1000, text: escape(text) };
    startMs = cue.endMs;
    return cue;
  });
}

const LAST_SHOWN_MS = 5000;
const LEAST_SHOWN_MS = 1000;

function toChatCues(messages: readonly Message[]): readonly Cue[] {
  const timed = toSent(messages, new Date(0))
    .map(({ message, sentAt }) => ({ message, ms: sentAt.getTime() }))
    .toSorted((one, other) => one.ms - other.ms);
  const [first] = timed;
  return timed.map(({ message, ms }, index) => {
    const startMs = ms - (first?.ms ?? 0);
    const nextMs = (timed[index + 1]?.ms ?? ms + LAST_SHOWN_MS) - (first?.ms ?? 0);
    const voice = escape(toSpeaker(message)).replaceAll("\n", " ");
    const text = `<v ${voice}>${escape(message.transcript ?? "")}`;
    return { startMs, endMs: Math.max(nextMs, startMs + LEAST_SHOWN_MS), text };
  });
}

/** An empty line would end the cue, and <, > and & are markup in it (WebVTT, 4.2.2). */
function escape(text: string): string {
  const lines = toPrintable(text).split(/\r\n|\r|\n/);
  const marked = lines.filter((line) => line.trim() !== "").join("\n");
  return marked.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function toTime(ms: number): string {
  const pad = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, "0");
  return `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)}.${pad(ms % 1000, 3)}`;
}
