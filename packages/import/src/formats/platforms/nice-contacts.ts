// NICE CXone: contacts as its reporting API gives them, a record a contact.
import { addUp, readBoolean, readSeconds, readText } from "../json-value.ts";
import type { Entry } from "../format.ts";
import { createJsonFormat, type JsonRecord } from "../json-format.ts";

export const niceContacts = createJsonFormat({
  title: "NICE CXone contacts",
  records: [
    "completedContacts.*",
    "resultSet.completedContacts.*",
    "contacts.*",
    "resultSet.contacts.*",
    "resultSet",
    "*",
    "",
  ],
  marks: ["contactId", "masterContactId", "contactStart"],
  callId: ["contactId"],
  toEntries: (contact) => [toCall(contact)],
});

// `firstName` and `lastName` are those of the agent.
function toCall(contact: JsonRecord): Entry {
  const isOutbound = readBoolean(contact, "isOutbound");
  const [customer, centre] = isOutbound
    ? (["toAddr", "fromAddr"] as const)
    : (["fromAddr", "toAddr"] as const);
  const agentSeconds = readSeconds(contact, "agentSeconds");
  const name = [readText(contact, "firstName"), readText(contact, "lastName")];
  return {
    kind: "call",
    call_id: readText(contact, "contactId"),
    ref_id: readText(contact, "masterContactId"),
    master_id: readText(contact, "masterContactId"),
    datetime: readText(contact, "contactStart"),
    ani: readText(contact, customer),
    dnis: readText(contact, centre),
    call_type: isOutbound === undefined ? undefined : isOutbound ? "Outbound" : "Inbound",
    media_field: readText(contact, "mediaTypeName"),
    agent: readText(contact, "agentId"),
    agent_name: name.filter((part) => part !== undefined).join(" ") || undefined,
    agent_group: readText(contact, "teamName"),
    agent_group_id: readText(contact, "teamId"),
    campaign: readText(contact, "campaignName"),
    campaign_id: readText(contact, "campaignId"),
    skill: readText(contact, "skillName"),
    skill_id: readText(contact, "skillId"),
    disposition_id: readText(contact, "primaryDispositionId"),
    disposition_notes: readText(contact, "dispositionNotes"),
    talk_time: agentSeconds,
    handle_time: addUp(agentSeconds, readSeconds(contact, "ACWSeconds")),
  };
}
