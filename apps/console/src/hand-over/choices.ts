// The choices for a hand-over: the kinds of files, and the hidden fields.
import { listCompared } from "@call-media/conditions";
import {
  ALWAYS_MASKED,
  type Field,
  FILE_KINDS,
  type FileKind,
  listMasked,
} from "@call-media/handover";
import { FIELDS } from "../fields.ts";
import type { Query } from "../search/query.ts";
import type { Choices } from "./handing.ts";

/** Fields that people hide together. */
export const HIDDEN_GROUPS = {
  name: ["customer_first_name", "customer_middle_name", "customer_last_name"],
  telephone: ["ani", "dnis", "phone_number1", "phone_number2", "phone_number3"],
  address: ["customer_email", "street", "zip", "city"],
  agent: ["agent_name", "agent", "dest_agent_name"],
} as const satisfies Record<string, readonly Field[]>;

export type HiddenGroup = keyof typeof HIDDEN_GROUPS;

export const HIDDEN_GROUP_NAMES = Object.keys(HIDDEN_GROUPS) as readonly HiddenGroup[];

const GROUPED: ReadonlySet<Field> = new Set(Object.values(HIDDEN_GROUPS).flat());

// Never offered: days are folders, files belong to a call by its identifiers, and names of recordings are masked with any other field.
const NEVER_CHOSEN: ReadonlySet<Field> = new Set(["datetime", "call_id", "ref_id", ALWAYS_MASKED]);

/** The fields that are hidden one by one. */
export const OTHER_FIELDS = FIELDS.filter(
  (field) => !GROUPED.has(field) && !NEVER_CHOSEN.has(field),
);

const ALONG: ReadonlySet<Field> = new Set([ALWAYS_MASKED, "transcript"]);

export function choose(choices: Choices, kind: FileKind, isChosen: boolean): Choices {
  const files = FILE_KINDS.filter((one) => (one === kind ? isChosen : choices.files.includes(one)));
  return { ...choices, files };
}

/** Like --redact, the first hidden field clears the choice of files, in which people say names. */
export function hide(choices: Choices, fields: readonly Field[], isHidden: boolean): Choices {
  const redact = FIELDS.filter((one) =>
    fields.includes(one) ? isHidden : choices.redact.includes(one),
  );
  const isFirst = choices.redact.length === 0 && redact.length > 0;
  return { ...choices, redact, files: isFirst ? [] : choices.files };
}

/** True for a field that the search compares: the report, which has the search, would reveal its value. */
export function createBars({ words, body, conditions }: Query): (field: Field) => boolean {
  // Fields may be searched for presence: hidden ones still reveal whether there is a value.
  const searched = new Set<string>([...Object.keys(body), ...conditions.flatMap(listCompared)]);
  return (field) =>
    words !== "" || listMasked({ redact: [field], files: [] }).some((one) => searched.has(one));
}

/** The complete groups among the hidden fields, and the remaining fields without those that another field hides. */
export function groupHidden(redact: readonly Field[]) {
  const groups = HIDDEN_GROUP_NAMES.filter((group) =>
    HIDDEN_GROUPS[group].every((field) => redact.includes(field)),
  );
  const grouped = new Set<Field>(groups.flatMap((group) => HIDDEN_GROUPS[group]));
  const others = redact.filter((field) => !grouped.has(field) && !ALONG.has(field));
  return { groups, others };
}
