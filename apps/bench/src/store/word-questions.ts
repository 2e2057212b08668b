// The questions by words, in the language of each contender.

export interface WordQuestion {
  /** As a user and FTS5 have it. */
  readonly typed: string;
  /** As PostgreSQL has it; without one it cannot be asked outside of the store. */
  readonly tsquery?: string;
}

export const WORD_QUESTIONS: Readonly<Record<string, WordQuestion>> = {
  "1 in 20 calls": { typed: "zzcommon", tsquery: "zzcommon" },
  "1 in 1,000": { typed: "zzmiddle", tsquery: "zzmiddle" },
  "three words": { typed: "zzcommon the we", tsquery: "zzcommon & the & we" },
  "a beginning": { typed: "zz*", tsquery: "zz:*" },
  "a phrase": { typed: '"early termination"', tsquery: "early <-> termination" },
  '"to the"': { typed: '"to the"', tsquery: "to <-> the" },
  "an ending of 4 digits": { typed: "0121" },
};
