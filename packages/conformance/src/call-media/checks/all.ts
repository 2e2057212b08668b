// Every check, in the order of execution: the most informative first.
import type { Check } from "./check.ts";
import { eachField, together } from "./filters.ts";
import { headAndOptions } from "./head-and-options.ts";
import { matching } from "./matching.ts";
import { nearMisses } from "./near-misses.ts";
import { ranges } from "./ranges.ts";
import { extremes, searchesTaken } from "./right-input.ts";
import { owner } from "./recording-owner.ts";
import { names, unnamed } from "./recording-parts.ts";
import { byEither, inBase64, noRecording } from "./recordings.ts";
import { opening } from "../open-questions.ts";
import { tokens } from "./token.ts";
import { usersTaken } from "./users.ts";
import { searchByWords } from "../words/check.ts";

export const checks: readonly Check[] = [
  searchesTaken,
  opening,
  usersTaken,
  inBase64,
  byEither,
  names,
  unnamed,
  owner,
  noRecording,
  tokens,
  eachField,
  together,
  matching,
  nearMisses,
  searchByWords,
  ranges,
  extremes,
  headAndOptions,
];
