// The fields of each record against the interface, written out here as an independent witness: the
// service writes records in this order (D27).
import { expect, test } from "vitest";
import { toMetadataRecord } from "../generated/metadata-record.ts";
import { document, fieldsOf, recordRights } from "../src/index.ts";

function numbered(prefix: string, count: number, width: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${String(i + 1).padStart(width, "0")}`);
}

const words = (text: string): string[] => text.trim().split(/\s+/);
const customFields = numbered("custom_field_", 20, 1);
const securityFields = numbered("security_field_", 5, 2);

const metadataFields = [
  ...words(`datetime ani dnis agent agent_name campaign_type campaign call_type call_id ref_id
    campaign_id skill_id handle_time talk_time agent_group_id disposition_id ani_state dnis_state
    skill agent_group disposition disposition_notes recordings customer_first_name
    customer_middle_name customer_last_name customer_email phone_number1 phone_number2 phone_number3
    country state_id zip street city dest_agent_name lead_id ivr_path media company transcript`),
  ...customFields,
  ...securityFields,
  "notes",
];

const filterFields = words(`agent agent_name campaign_type campaign call_type call_id ref_id
  campaign_id skill_id handle_time talk_time agent_group_id disposition_id ani_state dnis_state skill
  agent_group disposition disposition_notes customer_first_name customer_middle_name
  customer_last_name customer_email phone_number1 phone_number2 phone_number3 country state_id zip
  street city dest_agent_name lead_id ivr_path media company`);

const securityRights = [
  ...words(`id username is_admin allow_email_attachment allow_download allow_reports allow_transmit
    allow_dashboard allow_all_campaigns allow_all_skills allow_all_agents allow_all_groups
    allow_all_flags`),
  ...numbered("allow_all_secure", 5, 2),
  ...words(`allow_all_media allow_all_services allow_all_download_doc_type allowed_campaigns
    allowed_skills allowed_agents allowed_groups allowed_flags`),
  ...numbered("allowed_secure", 5, 2),
  ...words(`allowed_media allowed_services allowed_download_doc_type mfa_enabled mfa_authy_enabled
    search_rights`),
];

const records = {
  TokenRequest: words("secretID secretKey"),
  TokenResponse: words("access_token type expires"),
  MetadataRecord: metadataFields,
  UserBasicRecord: words(`id username email_id title first_name middle_name last_name status group
    created_date modified_date phone_country_code phone_number external_system_id`),
  UserAddressRecord: words("id username address city state zip_code country"),
  UserSecurityRecord: securityRights,
  PublicFlagRecord: words("Id Type Name DateCreated DateModified"),
  PrivateFlagRecord: words("Id Type Name DateCreated DateModified"),
  RecordingRecord: words("success filename base64"),
  ChatMessageRecord: words("call_id transcript datetime party_type label room_id"),
  MetadataEnvelope: words("isError errorMessage data"),
  MetadataPageEnvelope: words("isError errorMessage data pageID recordCount"),
  UserBasicEnvelope: words("isError errorMessage data"),
  UserAddressEnvelope: words("isError errorMessage data"),
  UserSecurityEnvelope: words("isError errorMessage data"),
  RecordingEnvelope: words("isError errorMessage data"),
  PublicFlagEnvelope: words("isError errorMessage data"),
  PrivateFlagEnvelope: words("isError errorMessage data"),
  ChatEnvelope: words("isError errorMessage data"),
  ErrorEnvelope: words("isError errorMessage data"),
} as const;

const filters = {
  MetadataFilter: filterFields,
  CustomFieldsFilter: [...customFields, ...securityFields],
} as const;

/** Object.entries widens the keys to string; these are the names of the table itself. */
const entriesOf = <Table extends object>(table: Table): [keyof Table & string, string[]][] =>
  Object.entries(table) as [keyof Table & string, string[]][];

test("a call record has 67 fields and a search 36", () => {
  expect([metadataFields.length, filterFields.length]).toEqual([67, 36]);
});

test.each(entriesOf(records))("%s has its fields in order and requires each", (name, fields) => {
  expect(fieldsOf(name)).toEqual(fields);
  expect(document.components.schemas[name]?.required).toEqual(fields);
});

test.each(entriesOf(filters))("%s has its keys in order and requires none", (name, fields) => {
  expect(fieldsOf(name)).toEqual(fields);
  expect(document.components.schemas[name]?.required).toBeUndefined();
  expect(document.components.schemas[name]?.additionalProperties).toBe(false);
});

test("every schema of the contract is checked here", () => {
  expect(Object.keys(document.components.schemas).toSorted()).toEqual(
    [...Object.keys(records), ...Object.keys(filters)].toSorted(),
  );
});

test("a field may be null exactly where the interface says so or leaves it open", () => {
  const nullable = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    Object.entries(schema.properties ?? {})
      .filter(([, field]) => field.type?.includes("null"))
      .map(([field]) => `${name}.${field}`),
  );
  const envelopes = Object.keys(records).filter(
    (name) => name.endsWith("Envelope") && name !== "ErrorEnvelope",
  );
  expect(nullable.toSorted()).toEqual(
    [
      ...metadataFields.map((field) => `MetadataRecord.${field}`),
      ...words("title middle_name last_name modified_date external_system_id").map(
        (field) => `UserBasicRecord.${field}`,
      ),
      ...words("call_id transcript label").map((field) => `ChatMessageRecord.${field}`),
      ...envelopes.map((name) => `${name}.errorMessage`),
    ].toSorted(),
  );
});

test("the rights on records restrict the fields that D21 names, by names of the contract", () => {
  const named = [
    ["campaigns", "campaign"],
    ["skills", "skill"],
    ["agents", "agent"],
    ["groups", "agent_group"],
    ...numbered("", 5, 2).map((number) => [`secure${number}`, `security_field_${number}`]),
    ["media", "media"],
  ];
  expect(recordRights).toEqual(
    named.map(([right, field]) => ({
      allowAll: `allow_all_${right}`,
      allowed: `allowed_${right}`,
      field,
    })),
  );
  for (const { allowAll, allowed, field } of recordRights) {
    expect(securityRights).toContain(allowAll);
    expect(securityRights).toContain(allowed);
    expect(metadataFields).toContain(field);
  }
});

test("a record that is made of values has each in its field, in the interface's order", () => {
  const record = toMetadataRecord(metadataFields.map((field) => `of ${field}`));

  expect(Object.entries(record)).toEqual(metadataFields.map((field) => [field, `of ${field}`]));
});
