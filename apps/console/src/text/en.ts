// Every sentence of the page in English. Other languages translate this file, type for type.
import type { FaultKind } from "../faults.ts";
import { EN_LABELS } from "@call-media/handover";
import type { Group } from "../fields.ts";
import { toCounters } from "./counters.ts";
import type { Comparison } from "@call-media/conditions";

export interface Sentences {
  readonly title: string;
  readonly hint: string;
}

const { count, number } = toCounters("en");

const FAULTS: Record<FaultKind, Sentences> = {
  unreachable: {
    title: "The archive cannot be reached.",
    hint: "Check your connection, then try again.",
  },
  "no-cookie": {
    title: "This browser did not keep the session.",
    hint: "Allow cookies for this address, then sign in again.",
  },
  refused: { title: "Your session has ended.", hint: "Sign in again to go on." },
  "too-many": { title: "Too many requests.", hint: "Wait a moment, then try again." },
  "admin-named": {
    title: "Administrators are not signed in by the network.",
    hint: "Use an API key, or secretID and secretKey.",
  },
  forbidden: {
    title: "You do not have the right to do this.",
    hint: "Your operator can give it to you.",
  },
  "not-own-page": {
    title: "The archive does not recognise this page as its own.",
    hint: "Open the console at the archive's own address, in a tab of its own. If that does not help, tell your operator: a proxy may change the headers Origin or Sec-Fetch-Site.",
  },
  missing: {
    title: "There is nothing here that you may see.",
    hint: "It does not exist, or you do not have the right to see it.",
  },
  "no-words": {
    title: "This archive does not search by words.",
    hint: "Use the filters, or export the calls and search there.",
  },
  invalid: { title: "The archive does not accept this search.", hint: "Change the filters." },
  unavailable: {
    title: "The archive cannot answer at the moment.",
    hint: "Try again; tell your operator if it stays so.",
  },
  "not-the-service": {
    title: "What answers here is not a Call Media service, or is out of order.",
    hint: "Tell your operator.",
  },
  unknown: { title: "Something went wrong.", hint: "Load the page again." },
};

const GROUP_LABELS: Record<Group, string> = {
  call: "Call",
  customer: "Customer",
  agent: "Agent",
  numbers: "Numbers",
  custom: "Own fields",
  rights: "Access",
  ids: "Identifiers",
  content: "Content",
};

const COMPARISON_LABELS: Record<Comparison, string> = {
  "~": "contains",
  "==": "is",
  "!=": "is not",
  ">": "more than",
  "<": "less than",
  ">=": "at least",
  "<=": "at most",
};

export const en = {
  product: "Call Media",
  skip: "Skip to content",
  close: "Close",
  tryAgain: "Try again",
  notCopied: "This browser does not let the page use the clipboard.",
  faults: FAULTS,
  serviceSays: "It says:",
  quote: (requestId: string) => `Quote request ${requestId}.`,
  againIn: (seconds: number) => `Again in ${number.format(seconds)} s.`,
  fields: EN_LABELS,
  groups: GROUP_LABELS,
  comparisons: COMPARISON_LABELS,
  customer: "Customer",
  nobody: "No name",

  // Signing in
  serviceAt: "The archive is at",

  // The bar
  findWords: "Words, names, numbers or a call",
  findWordsHint:
    "All of these, in any order: words that were said or noted, names, the end of a telephone number, or the identifier of a call. “early termination” in quotation marks stands together; refund* begins a word.",
  wordsFault: (fault: string) => `This cannot be searched for: it ${fault}.`,
  inChat: "In the chat: open the call to read it.",
  inChatUnread: "In the chat, which you may not read.",
  docs: "Docs",
  administrator: "Administrator",
  account: (name: string) => `Account ${name}`,
  departures: (value: number) => count(value, "unexpected answer", "unexpected answers"),
  departuresHint: "Answers of this service leave its contract",

  // Search
  calls: "Calls",
  callCount: (value: number) => count(value, "call", "calls"),
  legCount: (value: number) => count(value, "leg", "legs"),
  ofLegs: (value: number, total: number) =>
    `${number.format(value)} of ${count(total, "leg", "legs")}`,
  searching: "Searching …",
  lastDays: (value: number) => (value === 1 ? "Today" : `Last ${value} days`),
  allDays: "All days",
  periods: {
    yesterday: "Yesterday",
    "this-week": "This week",
    "last-week": "Last week",
    "this-month": "This month",
    "last-month": "Last month",
    "this-quarter": "This quarter",
    "last-quarter": "Last quarter",
  },
  days: "Days",
  fromDay: "From",
  toDay: "To",
  apply: "Apply",
  inZone: (name: string) => `Days in the archive's time, ${name}`,
  zoneUnknown: "Days in the archive's time",
  filters: "Filters",
  addFilter: "Filter",
  nothingIn: "is empty",
  somethingIn: "is not empty",
  or: "or",
  tooManyListed: (values: number, most: number) =>
    `These are ${number.format(values)} identifiers: at most ${number.format(most)} at once.`,
  orMore: (time: string) => `${time} or more`,
  orLess: (time: string) => `${time} or less`,
  oneOf: (values: number) => `${number.format(values)} of a list`,
  notThere: (found: number, missing: readonly string[]) =>
    `${number.format(found)} found, ${number.format(missing.length)} not there: ${missing.join(", ")}`,
  checkedHere: "This page reads every call of the search and checks this by itself.",
  remove: (what: string) => `Remove ${what}`,
  complete: (total: number) =>
    `All ${number.format(total)} are here, each once; the archive did not change meanwhile.`,
  allHere: "All here",
  partHere: (loaded: number, total: number) =>
    `${number.format(loaded)} of ${number.format(total)} here`,
  changed: "Changed meanwhile",
  partly: "The rest comes as you scroll.",
  changedMeanwhile:
    "The archive changed while you looked, so that calls may be missing or there twice.",
  loadAll: "Load all",
  stop: "Stop",
  repeat: "Repeat the search",
  counts: "Count",
  countCalls: "Count calls",
  readAll: (legs: number) => `Read all ${number.format(legs)}`,
  readAllHint: "Read what was said in these calls, one below the other",
  columns: "Columns",
  views: "Views",
  sortBy: (field: string) => `Sort by ${field}`,
  tooManyToSort: (most: number) =>
    `Only up to ${number.format(most)} calls can be put in another order. Narrow the search.`,
  selectAll: "Select all that are loaded",
  select: (who: string) => `Select ${who}`,
  play: "Play",
  playCall: (who: string) => `Play ${who}`,
  pauseCall: (who: string) => `Pause ${who}`,
  recordingCount: (value: number) => count(value, "recording", "recordings"),
  noZone: "no time zone recorded",
  noTime: "No time",
  recordingColumn: "Recording",
  notLoaded: "Could not be loaded",
  handOver: "Hand over",

  // Call
  hits: (place: number, total: number) => `${place} of ${total}`,
  noHits: "none",
  previousHit: "Previous hit",
  nextHit: "Next hit",

  // Player
  pause: "Pause",
  noRecording: "This call has no recording.",

  unknownPage: "There is no such page",
  unreadable: "A part of this address cannot be read",
  column: (column: number) => `column ${column}`,
  openWithout: "Open without it",
  toSearch: "To the search",
};

/** Every other language has all of these. */
export type Text = typeof en;
