// The names of fields in exports, after the mappings that ship and public documents of telephone systems and contact centres. A name is
// evidence of what a column holds.
import { foldWords } from "./name-words.ts";
import { replaceUnit } from "./unit-names.ts";

// These words tell nothing, wherever they stand in a name.
const BESIDES = new Set(
  "call calls contact interaction engagement segment leg cdr record party the of in on a is was global original orig final primary main local utc gmt est edt pst value info unicode str string variables data total s".split(
    " ",
  ),
);

const ID = "(?:id|login|email|code|number|extension|user|user id|principal name)";
const NUMBER = "(?:(?:customer|external|internal|remote) )?number";
const A_NAME = "(?:(?:from|to|customer|full|display) )*name";
const TIME = "(?:time|duration)";
// It may be one for each call.
const CASE = "case(?: id| number)?";
const ENDS = "(?:first|last)";

/** The work after a call. No field has its duration alone. */
export const AFTER_WORK = "the work after the call";
/** Patterns of names. Each line is less certain than the one before; one may be empty. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  call_id: [
    "(?:call|contact|interaction|talk|unique|voice call) id",
    "id",
    `session id|call ref|${CASE}`,
  ],
  ref_id: [
    "",
    "ref(?:erence)? id|talk id|correlation id|linked id|(?:master|parent)(?: call)? id",
    `id|${CASE}`,
  ],
  session_id: ["", "(?:\\w+ )?session(?: id)?|talk id", "(?:other )?id"],
  master_id: ["", "(?:master|parent)(?: call)? id", "id"],
  datetime: [
    "start(?: time)?(?: duration)?|time start",
    "time",
    "(?:created?|queue|offered|log)(?: time)?",
  ],
  // "Origination" alone is a start.
  ani: ["", "from(?: id)?(?: (?:number|address))?|start number|number from|ani", NUMBER],
  dnis: ["", "to(?: id)?(?: (?:number|address))?|number to", NUMBER],
  agent: [
    "",
    `(?:${ENDS} )?agent(?: ${ID}| name)?`,
    `user(?: ${ID})?|(?:(?:answer|from|to) )?login|extension(?: number)?|owner(?: id)?|(?:handle|answer|taken|accepted) by|email|name`,
  ],
  agent_name: [
    "agent(?: full| display)? name",
    "",
    "agent|user(?: full| display)? name|user|(?:full |display |from |to )?name",
  ],
  agent_group: ["", "(?:agent|user) group(?: name)?|team(?: name)?", "group(?: name)?|location"],
  agent_group_id: ["", "(?:agent group|team) (?:id|number)"],
  dest_agent_name: ["", "to agent(?: name)?"],
  campaign: ["", `(?:${ENDS} )?campaign(?: name)?`, "campaign id"],
  campaign_type: ["", "campaign type"],
  campaign_id: ["", "campaign (?:id|number|code)", "campaign"],
  skill: [
    "",
    `(?:${ENDS} )?queue(?: group)?(?: name)?|(?:ring|hunt|acd) group(?: name)?`,
    "queue (?:id|number)|team|name",
  ],
  skill_id: ["", "queue (?:id|number|code|extension)", "queue"],
  call_type: [
    "",
    "(?:call |number )?direction|call type",
    "type|incoming|outgoing|inbound|outbound",
  ],
  disposition: [
    "",
    "(?:.* )?disposition(?: (?:name|code|status|description))?|wrap(?: up)?(?: (?:code|reason|name))*",
    "(?:.* )?disposition id|(?:end |exit )?(?:status|state)(?: name)?|result|reason|cause|answer|end cause|end reason|action result|.* cause",
  ],
  disposition_id: [
    "",
    "disposition (?:id|code)|wrap code id",
    "status|disposition|.* cause(?: .*)?",
  ],
  disposition_notes: [
    "",
    "(?:disposition |agent |call )?note|reason(?: (?:description|text|name))?",
    ".*reason(?: .*)?|tags? name|result",
  ],
  notes: ["", "(?:disposition |agent |call )?note"],
  talk_time: [
    `talk(?: ${TIME})?`,
    "(?:agent|answer) duration|agent time",
    "duration|time duration",
  ],
  handle_time: [`handle(?: ${TIME})?`, "", "duration"],
  ivr_path: ["", "ivr(?: path)?|menu path"],
  lead_id: ["", "lead id"],
  company: ["", "company(?: name)?|organization(?: name)?|account name"],
  customer_first_name: ["", "(?:customer |from )?first name|first", A_NAME],
  customer_middle_name: ["", "(?:customer )?middle (?:name|initial)", A_NAME],
  customer_last_name: ["", "(?:customer |from )?last name|last", A_NAME],
  customer_email: ["", "customer email", "email(?: address)?"],
  phone_number1: ["", "number ?1", `${NUMBER}|(?:from|to) number|from|to|number to`],
  phone_number2: ["", "number ?2"],
  phone_number3: ["", "number ?3"],
  country: ["", "country(?: (?:name|code))?"],
  state_id: ["", "state(?: id)?|province"],
  zip: ["", "zip(?: code)?"],
  street: ["", "(?:street|address)(?: (?:1|address))?|address1"],
  city: ["", "city|town"],
  ani_state: ["", "from state"],
  dnis_state: ["", "to state"],
  transcript: ["", "transcript(?:ion)?", "text"],
  media: ["", "(?:enter )?(?:media|channel)(?: type| name)?", "type"],
  recordings: ["", "recording(?: (?:file|name|url|location|link|path|id))*|file name"],
  // These are fields of no call.
  end: ["end(?: time)?(?: duration)?|time end|(?:last )?(?:modified|updated)(?: (?:at|on|time))*"],
  "the answer": ["answer(?: time)?|time answer"],
  "another duration": [
    `(?:(?:agent|customer|from|to) )?(?:ring|wait|hold|queue|delay|ivr|progress|abandon|park|accept|reroute|overflow|attendant|vm)(?: up)? ${TIME}|time to answer`,
  ],
  [AFTER_WORK]: [`(?:agent )?(?:wrap|after work)(?: up)? ${TIME}`],
  "a name": ["", A_NAME],
  "a cost": ["(?:buy |sell )?(?:cost|price|charge|rate|amount)"],
};
const PATTERNS = Object.entries(NAMES).map(([field, lines]): [string, readonly RegExp[]] => [
  field,
  lines.map((line) => new RegExp(`^(?:${line === "" ? "(?!)" : line})$`)),
]);

// A note may be anything.
const NOTES = new Set(["notes", "disposition_notes"]);

/** False of fields that are whatever a source says they are, as custom ones. */
export const mayBeOf = (field: string): boolean => field in NAMES;

/** False of fields that may be anything. */
export const isNamed = (field: string): boolean => mayBeOf(field) && !NOTES.has(field);

/** The rating of a name that several fields have. */
export const WEAK = 1;
export const USUAL = 2;
const BEST = 3;

const cached = new Map<string, ReadonlyMap<string, number>>();

/** How well a column or the path of a member fits a field by its name: 0 not at all, `WEAK`, `USUAL` or more. */
export type RateName = (field: string, name: string) => number;

/** `known`: the fields that mappings read a name for, which this table does not have. */
export const createRateName =
  (known: ReadonlyMap<string, ReadonlySet<string>>): RateName =>
  (field, name) => {
    const rated = rateAll(name);
    const isKnown = known.get(name)?.has(field) === true && (rated.size === 0 || isLong(name));
    return Math.max(rated.get(field) ?? 0, isKnown ? USUAL : 0);
  };

// One word is the name of too many things.
const isLong = (name: string) => foldWords(name).length > 1;

/** The fields that a name fits, and what it is else, with how well. */
export function rateAll(name: string): ReadonlyMap<string, number> {
  const rated = cached.get(name) ?? rate(name);
  if (cached.size < MAX_CACHED) cached.set(name, rated);
  return rated;
}

const MAX_CACHED = 10_000;
// These need the member before them in the path, which says whose they are.
const BARE = new Set(["id", "name", "number", "type", "status", "email", "time", "text", "state"]);

function rate(name: string): ReadonlyMap<string, number> {
  const steps = replaceUnit(name, "duration")
    .split(/[.[\]]+/)
    .filter((step) => /\p{L}/u.test(step));
  const last = steps.at(-1) ?? "";
  const paths = [steps, steps.slice(-2), ...(BARE.has(foldWords(last).join(" ")) ? [] : [[last]])];
  for (const path of paths) {
    const rated = rateForms(path.join(" "));
    if (rated.size > 0) return rated;
  }
  return new Map();
}

function rateForms(name: string): ReadonlyMap<string, number> {
  const words = foldWords(name);
  const forms = [words, words.filter((word) => !BESIDES.has(word))]
    .map((form) => form.filter((word, index) => word !== form[index - 1]).join(" "))
    .filter((form) => form !== "");
  const rated = rateAny(forms);
  // A unit does not change the meaning of a time.
  return rated.size > 0 ? rated : rateAny(forms.flatMap((form) => TIMED.exec(form)?.[1] ?? []));
}

const TIMED = /^(.* time) duration$/;

function rateAny(forms: readonly string[]): ReadonlyMap<string, number> {
  const rated = rateEach(forms);
  // "Nombre del agente", "Temps de conversation"
  const turned = forms.filter((form) => form.split(" ").length === 2);
  return rated.size > 0
    ? rated
    : rateEach(turned.map((form) => form.split(" ").toReversed().join(" ")));
}

function rateEach(forms: readonly string[]): ReadonlyMap<string, number> {
  const rated = PATTERNS.map(([field, lines]): [string, number] => {
    const line = lines.findIndex((pattern) => forms.some((form) => pattern.test(form)));
    return [field, line < 0 ? 0 : BEST - line];
  });
  return new Map(rated.filter(([, level]) => level > 0));
}
