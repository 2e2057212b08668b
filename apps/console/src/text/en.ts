// Every sentence of the page in English. Other languages translate this file, type for type.
import type { FaultKind } from "../faults.ts";
import { type Field, type Group, GROUPS, toLabels } from "../fields.ts";
import type { Comparison } from "@call-media/words";

export interface Sentences {
  readonly title: string;
  readonly hint: string;
}

/** Keys, and what they do. */
export type Keys = readonly (readonly [keys: string, what: string])[];

const plural = new Intl.PluralRules("en");
const number = new Intl.NumberFormat("en-GB");
const count = (value: number, one: string, other: string): string =>
  `${number.format(value)} ${plural.select(value) === "one" ? one : other}`;

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

// With the numbered fields it has them all.
const FIELD_LABELS = {
  datetime: "Time",
  ani: "Caller",
  dnis: "Dialled",
  agent: "Agent's sign-in",
  agent_name: "Agent",
  campaign_type: "Campaign type",
  campaign: "Campaign",
  call_type: "Direction",
  call_id: "Call",
  ref_id: "Reference",
  campaign_id: "Campaign id",
  skill_id: "Skill id",
  handle_time: "Handling",
  talk_time: "Talk",
  agent_group_id: "Group id",
  disposition_id: "Outcome id",
  ani_state: "Caller's region",
  dnis_state: "Dialled region",
  skill: "Skill",
  agent_group: "Group",
  disposition: "Outcome",
  disposition_notes: "Outcome notes",
  recordings: "Recordings",
  customer_first_name: "First name",
  customer_middle_name: "Middle name",
  customer_last_name: "Last name",
  customer_email: "E-mail",
  phone_number1: "Phone",
  phone_number2: "Phone 2",
  phone_number3: "Phone 3",
  country: "Country",
  state_id: "Region",
  zip: "Postcode",
  street: "Street",
  city: "City",
  dest_agent_name: "Transferred to",
  lead_id: "Lead",
  ivr_path: "Menu path",
  media: "Medium",
  company: "Company",
  transcript: "Transcript",
  ...toLabels(GROUPS.custom, "Custom"),
  ...toLabels(GROUPS.rights, "Security"),
  notes: "Notes",
} as Record<Field, string>;

const GROUP_LABELS: Record<Group, string> = {
  call: "Call",
  customer: "Customer",
  agent: "Agent",
  numbers: "Numbers",
  custom: "Custom",
  rights: "Security",
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

const LIST_KEYS: Keys = [
  ["J K ↓ ↑", "Next and previous row"],
  ["PgDn PgUp Home End", "By screen, to the ends"],
  ["Enter O", "Open the call"],
  ["Space", "Play the call here, pause"],
  ["X Shift+J", "Select, and go on"],
  ["/", "Add a filter"],
  ["F", "Find in the loaded rows"],
  ["C", "Columns"],
  ["R", "Repeat the search"],
  ["Esc", "Close the player, select nothing"],
  ["?", "This page"],
];

const CALL_KEYS: Keys = [
  ["Space", "Play, pause"],
  ["← →", "5 seconds; with Shift 1, with Alt 30"],
  ["N P", "Play the next, the previous line"],
  [", . ;", "Slower, faster, usual speed"],
  ["[ ] \\", "Repeat from here, to here, no more"],
  ["1 2 0", "Hear channel 1, 2, both"],
  ["M ↑ ↓", "Mute, louder, quieter"],
  ["S", "Skip silence"],
  ["L", "Copy the link to this second"],
  ["F /", "Find in the transcript"],
  ["Shift+J Shift+K", "Next and previous call"],
  ["U Esc", "Back to the results"],
];

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
  fields: FIELD_LABELS,
  groups: GROUP_LABELS,
  comparisons: COMPARISON_LABELS,
  customer: "Customer",
  nobody: "No name",

  // Signing in
  signIn: "Sign in",
  signInAgain: "Sign in again",
  signingIn: "Signing in …",
  showSecret: "Show it",
  useApplication: "Use secretID and secretKey",
  useKey: "Use an API key",
  wrongSecret: {
    title: "The archive does not know this.",
    hint: "Check it, and whether it was revoked.",
  },
  proxySays: (username: string) => `Your network has signed you in as ${username}.`,
  unknownProxyUser: {
    title: "The archive has no active user of this name.",
    hint: "Your operator can add you.",
  },
  sessionLasts: "You stay signed in on this device until 30 minutes after your last use.",
  secretStays: "The secret stays in the memory of this tab: closing or reloading it signs you out.",
  serviceAt: "The archive is at",
  lockedIdle: "The page was not used for half an hour.",
  lockedRefused: "Your session has ended.",
  placeIsKept: (username: string) =>
    username === "" ? "You go on where you were." : `As ${username} you go on where you were.`,

  // The bar
  findWords: "Words, names, numbers or a call",
  findWordsHint:
    "All of these, in any order: words that were said or noted, names, the end of a telephone number, or the identifier of a call. “early termination” in quotation marks stands together; refund* begins a word.",
  wordsFault: (fault: string) => `This cannot be searched for: it ${fault}.`,
  inChat: "In the chat: open the call to read it.",
  openCallId: (id: string) => `Open call ${id}`,
  openReference: (id: string) => `Open reference ${id}`,
  docs: "Docs",
  administrator: "Administrator",
  account: (name: string) => `Account ${name}`,
  sessionEnds: (time: string) => `Session ends at ${time} at the latest`,
  times: "Times",
  zones: { recorded: "As recorded", archive: "Archive's time", mine: "My time" },
  languageLabel: "Language",
  shortcuts: "Single-key shortcuts",
  about: "Help and about",
  signOut: "Sign out",
  signOutEverywhere: "Sign out everywhere",
  departures: (value: number) => count(value, "departure", "departures"),
  departuresHint: "Answers of this service leave its contract",

  // Search
  calls: "Calls",
  callCount: (value: number) => count(value, "call", "calls"),
  ofCalls: (value: number, total: number) =>
    `${number.format(value)} of ${count(total, "call", "calls")}`,
  searching: "Searching …",
  lastDays: (value: number) => (value === 1 ? "Today" : `Last ${value} days`),
  allDays: "All days",
  days: "Days",
  fromDay: "From",
  toDay: "To",
  apply: "Apply",
  inZone: (name: string) => `Days in the archive's time, ${name}`,
  zoneUnknown: "Days in the archive's time",
  filters: "Filters",
  addFilter: "Filter",
  field: "Field",
  comparison: "Comparison",
  value: "Value",
  nothingIn: "is empty",
  somethingIn: "is not empty",
  checkedByService: "The archive looks for the whole value. Letter case does not matter.",
  or: "or",
  joined:
    "Finds calls with any of the values. This page reads every call of the search and checks this by itself.",
  checkedHere: "This page reads every call of the search and checks this by itself.",
  alsoChats: "This page reads every call of the search and its chat.",
  anyNotation: "Any notation. The last four digits are enough.",
  secondsAsNumber: "Whole seconds",
  add: "Add",
  change: "Change",
  remove: (what: string) => `Remove ${what}`,
  complete: (total: number) =>
    `All ${number.format(total)} are here, each once; the archive did not change meanwhile.`,
  partly: (loaded: number, total: number) =>
    `${number.format(loaded)} of ${number.format(total)} are loaded. The rest comes as you scroll.`,
  changedMeanwhile:
    "The archive changed while you looked, so that calls may be missing or there twice.",
  loadAll: "Load all",
  stop: "Stop",
  repeat: "Repeat the search",
  reading: (loaded: number, total: number) =>
    `Checked ${number.format(loaded)} of ${number.format(total)}`,
  completeness: "Completeness",
  counts: "Counts",
  ofLoaded: (value: number) => `of ${number.format(value)} loaded`,
  findLoaded: "Find in the loaded rows",
  countsOf: "Count by",
  noValue: "Empty",
  columns: "Columns",
  columnsReset: "Usual columns",
  earlier: "Move before",
  later: "Move after",
  findField: "Find a field",
  density: "Row height",
  densities: { dense: "Dense", usual: "Usual", wide: "Wide" },
  views: "Views",
  saveView: "Save view",
  viewName: "Name",
  noViews: "No saved views yet.",
  viewHasPersons:
    "Filters about persons are left out, as views are kept in this browser. Keep them too:",
  sortBy: (field: string) => `Sort by ${field}`,
  tooManyToSort: (most: number) =>
    `Only up to ${number.format(most)} calls can be put in another order. Narrow the search.`,
  selectAll: "Select all that are loaded",
  select: (who: string) => `Select ${who}`,
  play: "Play",
  playCall: (who: string) => `Play ${who}`,
  recordingCount: (value: number) => count(value, "recording", "recordings"),
  noZone: "No time zone recorded",
  noTime: "No time",
  recordingColumn: "Recording",
  notLoaded: "Could not be loaded",
  selected: (value: number) => `${number.format(value)} selected`,
  bundle: "Bundle",
  copyIds: "Copy ids",
  copiedIds: (value: number) => `Copied ${count(value, "id", "ids")}.`,
  clear: "Clear",
  copyCommand: "Copy command",
  copiedCommand: "Copied the command of this search.",
  nothing: "No calls match",
  nothingWithWords:
    "No call in these days has all of these words. They are searched in transcripts, chats, notes, names and telephone numbers.",
  nothingAtAll: "There are no calls in these days that you may see.",
  nothingHint: "A filter finds whole values: “Smith” does not find “Smithson”.",
  without: (filter: string) => `Without ${filter}`,
  countThem: "What would help?",
  nothingEither: "nothing either",

  // Call
  results: "Results",
  placeOf: (place: number, total: number) => `${number.format(place)} of ${number.format(total)}`,
  previousCall: "Previous call",
  nextCall: "Next call",
  withAgent: (agent: string) => `with ${agent}`,
  copyLink: "Copy link",
  copiedLink: "Copied the link to this call. It shows nothing to those without the right.",
  copiedLinkAt: (time: string) =>
    `Copied the link to ${time}. It shows nothing to those without the right.`,
  save: "Save",
  copyCallId: (id: string) => `Copy call id ${id}`,
  copied: (what: string) => `Copied ${what}.`,
  nothingHere: "Nothing here that you may see",
  nothingHereHint: (id: string) =>
    `There is no call or reference ${id}, or you do not have the right to see it. The archive does not say which.`,
  loading: "Loading …",
  legs: "Legs",
  transcript: "Transcript",
  follow: "Follow",
  backTo: (time: string) => `Back to ${time}`,
  noTranscript: "This call has no transcript.",
  noTimes: "This transcript has no times, so that it cannot follow the sound.",
  find: "Find in the transcript",
  hits: (place: number, total: number) => `${place} of ${total}`,
  noHits: "none",
  previousHit: "Previous hit",
  nextHit: "Next hit",
  copyQuote: "Copy quote",
  copiedQuote: "Copied the quote with its time.",
  fieldsLabel: "Fields",
  emptyFields: (value: number) => count(value, "empty field", "empty fields"),
  technical: "Technical",
  copyField: (label: string) => `Copy ${label}`,
  mediaType: "Media type",
  size: "Size",
  fileName: "File",
  digest: "SHA-256",
  request: "Request",
  agentLane: "Agent",
  customerLane: "Customer",
  channel: (value: number) => `Channel ${value}`,

  // Player
  player: "Player",
  pause: "Pause",
  position: "Position",
  positionOf: (time: string, length: string) => `${time} of ${length}`,
  back5: "5 seconds back",
  on5: "5 seconds on",
  speed: (rate: number) => `Speed ${rate}×`,
  skipSilence: "Skip silence",
  repeatAb: "Repeat from A to B",
  channels: "Channels heard",
  both: "Both",
  parts: "Parts",
  part: (value: number) => `Part ${value}`,
  mute: "Mute",
  volume: "Volume",
  levels: "Volume of each channel",
  swapNames: "Swap names",
  open: "Open",
  startUnknown:
    "Where this part begins in the transcript is known after the parts before it were played.",
  startEstimated: "Times are estimated from the lengths of the parts before.",
  more: "More controls",
  listeningIsRecorded: "Listening is recorded under your name.",
  noRecording: "This call has no recording.",
  loadingSound: "Loading the sound …",
  decoding: "Decoding the sound …",
  drawing: (percent: number) => `Drawing the wave, ${percent} %`,
  drawLarge: (size: string) => `Draw the wave: reads ${size}`,
  noWave: "No wave can be drawn of this recording.",
  obstacles: {
    "no-right": {
      title: "You may read this call, but not listen to it.",
      hint: "Your operator can give you allow_download, or this type of file in allowed_download_doc_type.",
    },
    missing: {
      title: "The archive has no such recording of this call.",
      hint: "Its file may never have been imported.",
    },
    ambiguous: {
      title: "Which recording of this call belongs to this record cannot be told.",
      hint: "Several records list a recording of this name. Your operator can give each record a reference of its own.",
    },
    damaged: {
      title: "The recording is damaged or its file is missing.",
      hint: "Your operator can find out with call-media-server verify.",
    },
    "too-large": {
      title: "This recording is too large to be played here.",
      hint: "This browser has no service workers at this address. Save the file, or use a session of the server.",
    },
    "other-bytes": {
      title: "The bytes are not those that the archive announces, so that the sound was stopped.",
      hint: "Do not rely on this recording, and tell your operator.",
    },
  },
  cannotPlay: (codec: string) => ({
    title: `This browser cannot play ${codec}.`,
    hint: "Save the file and open it in a player, or ask your operator for a conversion.",
  }),
  same: "Same bytes as archived",
  sameHint: "The SHA-256 of what was received equals the one that the archive announces.",
  checking: "Checking the bytes …",
  other: "Not the archived bytes",
  unannounced: "The archive announces no digest",

  // About
  aboutTitle: "Help and about",
  keyboard: "Keyboard",
  keysOfList: "In the list",
  keysOfCall: "On a call",

  listKeys: LIST_KEYS,
  callKeys: CALL_KEYS,
  rights: "What you may see",
  every: "all",
  none: "none",
  mayListen: "You may listen to recordings and save them.",
  mayNotListen: "You may not listen to recordings.",
  departuresTitle: "Departures from the contract",
  noDepartures: "Every answer so far kept the contract.",
  unknownPage: "There is no such page",
  unreadable: "A part of this address cannot be read",
  openWithout: "Open without it",
  toSearch: "To the search",
};

/** Every other language has all of these. */
export type Text = typeof en;
