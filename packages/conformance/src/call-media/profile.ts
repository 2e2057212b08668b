// The answers of a service to the open questions, collected as checks find them.
import type { ServiceProfile } from "@call-media/api";

/** A part of the profile. */
export type Answers = Partial<Omit<ServiceProfile, "baseUrl">>;

export interface ProfileNotes {
  /** Null if the run could not tell. */
  readonly learn: (answers: Answers) => void;
  readonly toProfile: () => ServiceProfile;
}

export function createProfileNotes(baseUrl: string): ProfileNotes {
  const learned: Answers[] = [];
  // Two searches, for example, may answer the same question differently: then the profile has no answer.
  const settle = <Name extends keyof Answers>(name: Name) => {
    const seen = learned.map((answers) => answers[name] ?? null).filter((value) => value !== null);
    const [first = null] = seen;
    return seen.every((value) => value === first) ? first : null;
  };
  return {
    learn: (answers) => void learned.push(answers),
    toProfile: () => ({
      baseUrl,
      firstPage: settle("firstPage"),
      pageSize: settle("pageSize"),
      pastTheEndStatus: settle("pastTheEndStatus"),
      recordCount: settle("recordCount"),
      order: settle("order"),
      endDate: settle("endDate"),
      utcOffsetMinutes: settle("utcOffsetMinutes"),
      ignoresCase: settle("ignoresCase"),
      ignoresOuterSpaces: settle("ignoresOuterSpaces"),
      matchesBeginning: settle("matchesBeginning"),
      matchesEnd: settle("matchesEnd"),
      ignoresPhoneNotation: settle("ignoresPhoneNotation"),
      streamRanges: settle("streamRanges"),
      streamDigest: settle("streamDigest"),
      tokenLifeS: settle("tokenLifeS"),
    }),
  };
}
