// Recorded calls: each part is spoken and written to a media file, and the record gets the transcript of what is said.
import { join } from "node:path";
import { campaignNamed, outcomeNamed } from "./campaigns.ts";
import type { Agent } from "./company.ts";
import { createRecord, toIdentifiers } from "./fields.ts";
import { type Offset, toTimestamp } from "./moment.ts";
import { existing } from "./random.ts";
import type { ArchivedCall, CallRecord, ChatMessage } from "./record.ts";
import { toSlots } from "./recording-plans.ts";
import type { RecordingPlan } from "./recording-plans.ts";
import { parseTurns, toTranscript } from "./script.ts";
import type { Turn } from "./script.ts";
import { FORMATS, speakTurns, writeRecording } from "./speech.ts";

interface Part {
  agent: Agent;
  turns: readonly Turn[];
  startMs: number;
  seconds: number;
  file: string;
  messages: readonly ChatMessage[];
}

/** A caller hears music for this long while the next agent is found; it is not recorded. */
const HOLD_SECONDS = 48;

/** Writes the recordings of a plan into the media folder and gives its call, or a call for each part. */
export function recordCall(plan: RecordingPlan, mediaFolder: string): ArchivedCall[] {
  const parts: Part[] = [];
  for (const agent of plan.agents) {
    const last = parts.at(-1);
    const startMs = last ? last.startMs + (last.seconds + HOLD_SECONDS) * 1000 : plan.atMs;
    parts.push(recordPart(plan, { agent, index: parts.length, startMs }, mediaFolder));
  }
  if (!plan.recordPerPart) return [toCall(plan, parts)];
  return parts.map((part, index) => toCall(plan, [part], parts[index + 1]?.agent));
}

/**
 * A recorded call of the last weeks. It is said word for word as an earlier one, and shares its file: sound of its own for
 * each would weigh too much.
 */
export function repeatCall(call: ArchivedCall, number: number, atMs: number): ArchivedCall {
  const laterMs = atMs - (call.atMs ?? atMs);
  const { call_id, ref_id } = toIdentifiers(number);
  const day = toTimestamp(atMs, "Z").slice(0, 10).replaceAll("-", "");
  const recordings = (call.recordings ?? []).map(({ file }) => ({
    file,
    name: day + file.slice(day.length),
    start: toTimestamp(atMs, "Z"),
  }));
  const messages = (call.messages ?? []).map((message) => ({
    ...message,
    datetime: moveBy(message.datetime, laterMs),
    room_id: `voice-${number}`,
  }));
  const datetime = moveBy(call.record.datetime, laterMs);
  return { atMs, record: { ...call.record, call_id, ref_id, datetime }, recordings, messages };
}

function moveBy(datetime: string | null | undefined, ms: number): string {
  const [time = "", offset = ""] = /^(.*?)(Z|[+-]\d\d:00)?$/.exec(datetime ?? "")?.slice(1) ?? [];
  return toTimestamp(Date.parse(`${time}${offset || "Z"}`) + ms, (offset || null) as Offset);
}

function recordPart(
  plan: RecordingPlan,
  { agent, index, startMs }: { agent: Agent; index: number; startMs: number },
  mediaFolder: string,
): Part {
  const script = existing(plan.conversation.parts[index], `part ${index + 1} of ${plan.script}`);
  const next = plan.agents[index + 1];
  const names = { agent: toFirstName(agent), next: next ? toFirstName(next) : "" };
  const turns = parseTurns(script, { ...toSlots(plan), ...names });
  const sound = speakTurns(
    turns.map(({ party, label, text }) => {
      const isAgent = party === "Agent";
      const voice = isAgent ? agent.voice : plan.customerVoice;
      const pause = /^pause (\d+)$/.exec(label ?? "")?.[1];
      const pauseSeconds = pause === undefined ? undefined : Number(pause);
      return { text, voice, channel: isAgent ? "left" : "right", pauseSeconds };
    }),
    plan.stereo,
  );
  const file = toFileName(plan, index);
  writeRecording(sound, { format: plan.format, file: join(mediaFolder, file) });
  const messages = toMessages(turns, sound.turnStarts, { plan, agent, startMs });
  return { agent, turns, startMs, seconds: Math.ceil(sound.seconds), file, messages };
}

function toMessages(
  turns: readonly Turn[],
  turnStarts: readonly number[],
  { plan, agent, startMs }: { plan: RecordingPlan; agent: Agent; startMs: number },
): ChatMessage[] {
  if (!plan.chat) return [];
  return turns.map(({ party, text }, index) => ({
    transcript: text,
    datetime: toTimestamp(startMs + (turnStarts[index] ?? 0) * 1000, agent.group.offset ?? "Z"),
    party_type: party,
    label: null,
    room_id: `voice-${plan.number}`,
  }));
}

function toCall(plan: RecordingPlan, parts: readonly Part[], nextAgent?: Agent): ArchivedCall {
  const first = existing(parts[0], "first part");
  const campaign = campaignNamed(plan.conversation.campaign);
  const talkSeconds = parts.reduce((sum, { seconds }) => sum + seconds, 0);
  const record = createRecord({
    number: plan.number,
    atMs: first.startMs,
    media: "Voice",
    callType: plan.conversation.outbound ? "Outbound" : "Inbound",
    outbound: plan.conversation.outbound,
    campaign,
    skill: plan.conversation.skill,
    outcome: outcomeNamed(campaign, plan.conversation.outcome),
    agent: first.agent,
    customer: plan.customer,
    talkSeconds,
  });
  const passed = nextAgent ?? parts.at(-1)?.agent;
  return {
    atMs: first.startMs,
    record: { ...record, ...withSpeech(plan, parts), ...passedTo(first.agent, passed) },
    sessionId: `FHS-${plan.number}`,
    ...(plan.agents.length > 1 ? { masterId: `FHM-${plan.number}` } : {}),
    recordings: parts.map(({ file, startMs }) => ({ file, start: toTimestamp(startMs, "Z") })),
    messages: parts.flatMap(({ messages }) => messages),
  };
}

function withSpeech({ callId }: RecordingPlan, parts: readonly Part[]): CallRecord {
  const transcript = parts.map(({ turns }) => toTranscript(turns)).join("\n");
  return { transcript, ...(callId === null ? {} : { call_id: callId }) };
}

function passedTo(first: Agent, last: Agent | undefined): CallRecord {
  return { dest_agent_name: last === undefined || last === first ? null : last.name };
}

function toFirstName({ name }: Agent): string {
  return name.split(" ")[0] ?? name;
}

function toFileName({ atMs, script, agents, format }: RecordingPlan, index: number): string {
  const time = new Date(atMs).toISOString().slice(0, 16).replaceAll(/[-:]/g, "").replace("T", "-");
  const part = agents.length > 1 ? `-part-${index + 1}` : "";
  return `${time}-${script}${part}.${FORMATS[format].extension}`;
}
