// Fields of a call's record about the agent who took it: the name, the queue, the duration and the result.
import type { Faults } from "../../faults.ts";
import { RowFault } from "../../source-row.ts";
import type { Entry } from "../format.ts";
import type { JsonRecord } from "../json-format.ts";
import { addUp, findText, readText } from "../json-value.ts";
import type { Participant } from "./conversation.ts";

/** Without a leg only the fields of the last queue. A metric that is no number is added to `faults`. */
export function toLegFields(
  leg: Participant | undefined,
  participants: readonly Participant[],
  faults: Faults,
): Entry {
  const sessions = leg?.sessions.map(({ session }) => session) ?? [];
  const wrapUps = toSegments(leg).filter((segment) => "wrapUpCode" in segment);
  return {
    session_id: findText(sessions, "sessionId"),
    agent: readText(leg?.participant, "userId"),
    agent_name: readText(leg?.participant, "participantName"),
    agent_group_id: readText(leg?.participant, "teamId"),
    ...toQueueFields(leg, participants),
    disposition: findText(sessions, "dispositionName"),
    disposition_id: findText(wrapUps, "wrapUpCode"),
    disposition_notes: findText(wrapUps, "wrapUpNote"),
    talk_time: faults.attempt(() => toSeconds(leg, ["tTalkComplete"], ["tTalk"])),
    handle_time: faults.attempt(() => toSeconds(leg, ["tHandle"], ["tTalk", "tHeld", "tAcw"])),
  };
}

// A queue is a participant of its own, by the name of the queue; the requested skills are known only by identifiers.
function toQueueFields(leg: Participant | undefined, participants: readonly Participant[]): Entry {
  const queues = participants.filter(({ purpose }) => purpose === "acd");
  const queueId = toQueueId(leg) ?? toQueueId(queues.at(-1));
  if (queueId === undefined) return { skill_id: toSkillIds(leg) };
  const queue = queues.find((candidate) => toQueueId(candidate) === queueId);
  return { skill: readText(queue?.participant, "participantName"), skill_id: queueId };
}

function toQueueId(participant: Participant | undefined): string | undefined {
  return findText(toSegments(participant), "queueId");
}

function toSkillIds(participant: Participant | undefined): string | undefined {
  const ids = toSegments(participant).flatMap((segment) => segment["requestedRoutingSkillIds"]);
  return [...new Set(ids.filter((id) => typeof id === "string"))].join("; ") || undefined;
}

function toSegments(participant: Participant | undefined): readonly JsonRecord[] {
  return participant?.sessions.flatMap(({ segments }) => segments) ?? [];
}

/** The sum, in seconds, of the first list of metrics of which there are some. */
function toSeconds(
  leg: Participant | undefined,
  ...lists: readonly (readonly string[])[]
): number | undefined {
  const metrics = leg?.sessions.flatMap((session) => session.metrics) ?? [];
  for (const names of lists) {
    const its = metrics.filter((metric) => names.includes(readText(metric, "name") ?? ""));
    const milliseconds = addUp(...its.map(readMilliseconds));
    if (milliseconds !== undefined) return Math.round(milliseconds / 1_000);
  }
  return undefined;
}

function readMilliseconds(metric: JsonRecord): number {
  const text = readText(metric, "value") ?? "";
  const value = text === "" ? Number.NaN : Number(text);
  if (value >= 0) return value;
  throw new RowFault(`${readText(metric, "name")}: "${text}" is not a number of milliseconds`);
}
