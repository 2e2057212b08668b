// The fields of a record in the order of the contract. The contract as code is too large for a page to load.
import type { CallRecord } from "@call-media/client";

export type Field = keyof CallRecord;

const numbered = (prefix: string, count: number, digits = 1) =>
  Array.from(
    { length: count },
    // The names of the contract: custom_field_1 to 20, security_field_01 to 05.
    (_, index) => `${prefix}${String(index + 1).padStart(digits, "0")}` as Field,
  );

export const RECORD_FIELDS: readonly Field[] = [
  "datetime",
  "ani",
  "dnis",
  "agent",
  "agent_name",
  "campaign_type",
  "campaign",
  "call_type",
  "call_id",
  "ref_id",
  "campaign_id",
  "skill_id",
  "handle_time",
  "talk_time",
  "agent_group_id",
  "disposition_id",
  "ani_state",
  "dnis_state",
  "skill",
  "agent_group",
  "disposition",
  "disposition_notes",
  "recordings",
  "customer_first_name",
  "customer_middle_name",
  "customer_last_name",
  "customer_email",
  "phone_number1",
  "phone_number2",
  "phone_number3",
  "country",
  "state_id",
  "zip",
  "street",
  "city",
  "dest_agent_name",
  "lead_id",
  "ivr_path",
  "media",
  "company",
  "transcript",
  ...numbered("custom_field_", 20),
  ...numbered("security_field_", 5, 2),
  "notes",
];
