// A conversation of Genesys Cloud: participants with sessions, sessions with segments, and the legs of its agents.
import type { Faults } from "../../faults.ts";
import { readObjects, readText } from "../json-value.ts";
import type { JsonRecord } from "../json-format.ts";

export interface Session {
  readonly session: JsonRecord;
  readonly segments: readonly JsonRecord[];
  readonly metrics: readonly JsonRecord[];
}

export interface Participant {
  readonly participant: JsonRecord;
  /** customer, external, ivr, acd, agent, user and others. */
  readonly purpose: string;
  readonly sessions: readonly Session[];
}

/** Lists of another type are added to `faults`. */
export function readParticipants(conversation: JsonRecord, faults: Faults): readonly Participant[] {
  const list = (holder: JsonRecord, key: string) =>
    faults.attempt(() => readObjects(holder, key)) ?? [];
  return list(conversation, "participants").map((participant) => ({
    participant,
    purpose: readText(participant, "purpose")?.toLowerCase() ?? "",
    sessions: list(participant, "sessions").map((session) => ({
      session,
      segments: list(session, "segments"),
      metrics: list(session, "metrics"),
    })),
  }));
}

const AGENTS = new Set(["agent", "user"]);
const CUSTOMERS = new Set(["customer", "external"]);
// One whose telephone only rang has neither.
const WORK = new Set(["interact", "hold", "wrapup"]);

/** The participants who took the conversation, in that order. */
export function findLegs(participants: readonly Participant[]): readonly Participant[] {
  const legs = participants.filter(
    ({ purpose, sessions }) =>
      AGENTS.has(purpose) &&
      sessions.some(({ segments }) =>
        segments.some((segment) => WORK.has(readText(segment, "segmentType") ?? "")),
      ),
  );
  return legs.toSorted((a, b) => compare(toStart(a) ?? "", toStart(b) ?? ""));
}

export function findCustomer(participants: readonly Participant[]): Participant | undefined {
  return participants.find(({ purpose }) => CUSTOMERS.has(purpose));
}

/** The start of the first segment, unchanged: the platform writes all of them in UTC and in one form. */
export function toStart({ sessions }: Participant): string | undefined {
  const starts = sessions.flatMap(({ segments }) =>
    segments.flatMap((segment) => readText(segment, "segmentStart") ?? []),
  );
  return starts.toSorted(compare)[0];
}

/** The latest time in the conversation, which is exported again whenever something happens to it. */
export function toLatest(
  conversation: JsonRecord,
  participants: readonly Participant[],
): string | undefined {
  const sessions = participants.flatMap((participant) => participant.sessions);
  const moments = [
    readText(conversation, "conversationStart"),
    readText(conversation, "conversationEnd"),
    ...sessions.flatMap(({ segments, metrics }) => [
      ...segments.flatMap((one) => [readText(one, "segmentStart"), readText(one, "segmentEnd")]),
      ...metrics.map((metric) => readText(metric, "emitDate")),
    ]),
  ];
  return moments
    .filter((moment) => moment !== undefined)
    .toSorted(compare)
    .at(-1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
