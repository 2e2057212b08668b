// The answers of a service to the questions that the interface leaves open, collected as checks find them.
import type { ServiceProfile } from "@call-media/api";
import type { Observed as Told } from "../instance.ts";
import type { JsonValue, Observation } from "../report.ts";
import { decisions, type ObservedDecision } from "./requirements/decisions.ts";

export interface Observed {
  readonly decision: ObservedDecision;
  readonly question: string;
  readonly observed: string;
  readonly value: JsonValue;
  readonly agrees: boolean;
}

/** A part of the profile. */
export type Answers = Partial<Omit<ServiceProfile, "baseUrl">>;

export interface Notes {
  /** The last observation of each question counts. */
  readonly observe: (observed: Observed) => void;
  /** Null if the run could not tell. */
  readonly learn: (answers: Answers) => void;
  readonly toObserved: () => Told;
}

const NAMES = [
  "firstPage",
  "pageSize",
  "pastTheEndStatus",
  "recordCount",
  "order",
  "endDate",
  "utcOffsetMinutes",
  "ignoresCase",
  "ignoresOuterSpaces",
  "matchesBeginning",
  "matchesEnd",
  "ignoresPhoneNotation",
  "streamRanges",
  "streamDigest",
  "tokenLifeS",
] as const satisfies readonly (keyof Answers)[];

export function createNotes(): Notes {
  const observations = new Map<string, Observation>();
  const learned: Answers[] = [];
  // Two searches, for example, may answer the same question differently: then the profile has no answer.
  const settle = (name: keyof Answers) => {
    const seen = learned.map((answers) => answers[name] ?? null).filter((value) => value !== null);
    const [first = null] = seen;
    return seen.every((value) => value === first) ? first : null;
  };
  return {
    observe: ({ decision, question, ...told }) =>
      void observations.set(`${decision} ${question}`, {
        decision,
        question,
        ours: decisions[decision],
        ...told,
      }),
    learn: (answers) => void learned.push(answers),
    toObserved: () => ({
      questions: [...observations.values()].toSorted((a, b) =>
        a.decision.localeCompare(b.decision),
      ),
      profile: Object.fromEntries(NAMES.map((name) => [name, settle(name)])),
    }),
  };
}
