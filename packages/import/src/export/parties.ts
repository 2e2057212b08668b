// The parties of a vCon: customer, agent, other authors of the chat, and the archive for the attachment.
import type { ChatMessageRecord, MetadataRecord } from "@call-media/store";

type Party = Record<string, string>;

export interface Parties {
  readonly list: readonly Party[];
  /** The numbers of customer and agent, if known. */
  readonly speakers: readonly number[];
  readonly archive: number;
  /** The number of a message's writer. */
  readonly writerOf: (message: ChatMessageRecord) => number;
}

export function createParties(
  record: MetadataRecord,
  messages: readonly ChatMessageRecord[],
): Parties {
  const speakers = [toCustomer(record), toAgent(record)].filter(
    (party) => Object.keys(party).length > 1, // more than the role
  );
  const list = [...speakers];
  const find = ({ party_type: role, label }: ChatMessageRecord) =>
    list.findIndex((party) => party["role"] === role && (party["name"] ?? null) === label);
  for (const message of messages) {
    const { party_type: role, label } = message;
    if (find(message) === -1) list.push(toParty({ role, name: label }));
  }
  const archive = list.push({ role: "archive", name: "Call Media archive" }) - 1;
  return { list, speakers: [...speakers.keys()], archive, writerOf: find };
}

function toCustomer(record: MetadataRecord): Party {
  const { customer_first_name: first, customer_middle_name: middle } = record;
  const names = [first, middle, record.customer_last_name].filter((name) => name !== null);
  return toParty({
    role: "customer",
    name: names.join(" ") || null,
    tel: record.phone_number1 ?? record.ani,
    mailto: record.customer_email,
    org: record.company,
  });
}

function toAgent({ agent, agent_name: name, agent_group: dept, dnis }: MetadataRecord): Party {
  const mailto = agent?.includes("@") === true ? agent : null;
  return toParty({ role: "agent", name, mailto, dept, tel: name === null ? null : dnis });
}

function toParty(fields: Record<string, string | null>): Party {
  const given = Object.entries(fields).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const],
  );
  return Object.fromEntries(given);
}
