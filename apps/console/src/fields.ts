// The fields of a record, in the order and groups in which people read them.
import type { Schema } from "@call-media/api";
import { type CallRecord, toRecordingNames } from "@call-media/client";
import { isCustom, toKind } from "@call-media/conditions";

export type Field = keyof CallRecord;

/** A field that POST /metadata/search can filter by. */
export type NamedField = keyof Schema<"MetadataFilter">;
/** A field that POST /metadata/by-custom-fields can filter by. */
export type FreeField = keyof Schema<"CustomFieldsFilter">;
/** A field that calls can be filtered by. The contract has no filter for the two numbers of a call, which the page checks. */
export type FilterField = NamedField | FreeField | "ani" | "dnis";

const numbered = (prefix: string, count: number, digits: number): FreeField[] =>
  Array.from(
    { length: count },
    // The names of the contract: custom_field_1 to 20, security_field_01 to 05.
    (_, index) => `${prefix}${String(index + 1).padStart(digits, "0")}` as FreeField,
  );

export const GROUPS = {
  call: [
    "datetime",
    "call_type",
    "media",
    "campaign_type",
    "campaign",
    "skill",
    "ivr_path",
    "disposition",
    "disposition_notes",
    "ani",
    "ani_state",
    "dnis",
    "dnis_state",
    "notes",
  ],
  customer: [
    "customer_first_name",
    "customer_middle_name",
    "customer_last_name",
    "company",
    "customer_email",
    "phone_number1",
    "phone_number2",
    "phone_number3",
    "street",
    "zip",
    "city",
    "state_id",
    "country",
  ],
  agent: ["agent_name", "agent", "agent_group", "dest_agent_name"],
  numbers: ["talk_time", "handle_time"],
  custom: numbered("custom_field_", 20, 1),
  rights: numbered("security_field_", 5, 2),
  ids: [
    "call_id",
    "ref_id",
    "campaign_id",
    "skill_id",
    "agent_group_id",
    "disposition_id",
    "lead_id",
  ],
  content: ["recordings", "transcript"],
} as const satisfies Record<string, readonly Field[]>;

export type Group = keyof typeof GROUPS;

export const FIELDS: readonly Field[] = Object.values(GROUPS).flat();

const NOT_SEARCHED: ReadonlySet<Field> = new Set(["datetime", "recordings", "transcript", "notes"]);

/** Whole numbers of seconds; every other field has text. */
export const NUMBERS: ReadonlySet<Field> = new Set(
  FIELDS.filter((field) => toKind(field) === "seconds"),
);

/** Fields with values about the customer; the page stores none of them unless the user asks for it. */
export const PERSONAL: ReadonlySet<Field> = new Set([
  ...GROUPS.customer,
  "ani",
  "dnis",
  "lead_id",
  "transcript",
  "notes",
  "disposition_notes",
  ...GROUPS.custom,
]);

export const isField = (name: string): name is Field => FIELDS.some((field) => field === name);

export const isFilterField = (name: string): name is FilterField =>
  isField(name) && !NOT_SEARCHED.has(name);

/** True for telephone numbers, which are found in any notation (D30). */
export const isTelephone = (field: Field): boolean => toKind(field) === "telephone";

export const isFreeField = (name: Field): name is FreeField => isCustom(name);

/** The value as text; empty if there is none. */
export const valueOf = (record: CallRecord, field: Field): string => String(record[field] ?? "");

export const recordingsOf = ({ recordings }: CallRecord): string[] => toRecordingNames(recordings);

/** Empty if the record names no customer. */
export const customerOf = (record: CallRecord): string =>
  [record.customer_first_name, record.customer_middle_name, record.customer_last_name]
    .filter(Boolean)
    .join(" ");

/** Empty if the record names no agent. */
export const agentOf = (record: CallRecord): string => record.agent_name ?? record.agent ?? "";
