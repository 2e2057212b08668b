// Every check, in the order in which they are run: what tells most comes first.
import { apiKey, badCredentials, schemeCase } from "./access.ts";
import { chats } from "./chats.ts";
import type { Check } from "./check.ts";
import { errorBody } from "./errors.ts";
import { flags } from "./flags.ts";
import { eachField, together } from "./filters.ts";
import { byCallId, byReference, partsOfIds, readTwice, unknownIds } from "./identifiers.ts";
import { matching } from "./matching.ts";
import { nearMisses } from "./near-misses.ts";
import { customPages, namedPages } from "./pages.ts";
import { ranges } from "./ranges.ts";
import { extremes, searchesTaken } from "./right-input.ts";
import { names, unnamed } from "./recording-parts.ts";
import { byEither, noRecording, sameBytes } from "./recordings.ts";
import { badInput, emptyFilter, headAndOptions, otherMethods } from "./refusals.ts";
import { rights } from "./rights.ts";
import { streams } from "./streams.ts";
import { tokens, wrongCredentials } from "./token.ts";
import { eachUser, unknownUsers, userStatuses } from "./users.ts";

export const checks: readonly Check[] = [
  tokens,
  searchesTaken,
  customPages,
  namedPages,
  byCallId,
  byReference,
  partsOfIds,
  unknownIds,
  userStatuses,
  eachUser,
  unknownUsers,
  flags,
  readTwice,
  chats,
  sameBytes,
  byEither,
  names,
  unnamed,
  noRecording,
  streams,
  rights,
  eachField,
  together,
  matching,
  nearMisses,
  ranges,
  extremes,
  badCredentials,
  schemeCase,
  errorBody,
  apiKey,
  wrongCredentials,
  emptyFilter,
  otherMethods,
  headAndOptions,
  badInput,
];
