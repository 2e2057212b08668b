// The answers of a service to the open questions, gathered as checks come upon them.
import type { ServiceProfile } from "@call-media/api";

/** A part of the profile. */
export type Answers = Partial<Omit<ServiceProfile, "baseUrl">>;

export interface ProfileNotes {
  /** Null for what could not be told. */
  readonly learn: (answers: Answers) => void;
  readonly toProfile: () => ServiceProfile;
}

export function createProfileNotes(baseUrl: string): ProfileNotes {
  const learned: Answers[] = [];
  // Two searches, say, may answer the same question otherwise: then there is no answer to go by.
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
