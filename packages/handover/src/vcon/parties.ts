// The parties of a vCon: customer, agent, other authors of the chat, and last the archive.
import type { Schema } from "@call-media/api";
import type { Message } from "../fetching/chat.ts";

type CallFields = Schema<"MetadataRecord">;

interface Party {
  readonly role: string;
  readonly name?: string;
  /** A URI of RFC 3966, or the digits of a local number. */
  readonly tel?: string;
  readonly mailto?: string;
  readonly org?: string;
  readonly dept?: string;
}

export interface Parties {
  readonly list: readonly Readonly<Record<string, unknown>>[];
  /** The indices of customer and agent. */
  readonly speakers: readonly number[];
  /** The index of a message's author. */
  readonly find: (message: Message) => number;
}

const UNKNOWN = "unknown";

export function createParties(record: CallFields, messages: readonly Message[]): Parties {
  const [customer, agent] = [toCustomer(record), toAgent(record)];
  const list: Party[] = [customer, agent];
  const names = [toNames(customer), toNames(agent, record.agent)];
  const find = ({ party_type, label }: Message) =>
    list.findIndex(
      ({ role, name }, index) =>
        role.toLowerCase() === (party_type ?? UNKNOWN).toLowerCase() &&
        ((name ?? null) === label || (names[index]?.has((label ?? "").toLowerCase()) ?? false)),
    );
  for (const message of messages) {
    const { party_type: role, label: name } = message;
    if (find(message) === -1) list.push({ role: role ?? UNKNOWN, ...dropUnset({ name }) });
  }
  list.push({ role: "archive", name: "Call Media Retrieval Service" });
  return { list: list.map((party) => ({ ...party })), speakers: [0, 1], find };
}

/** Labels in a chat that mean this party: full name, first name, login, role, or an empty one. */
function toNames({ name, role }: Party, login: string | null = null): ReadonlySet<string> {
  const [first = ""] = (name ?? "").split(" ");
  return new Set([name, first, login, role, ""].map((one) => (one ?? "").toLowerCase()));
}

/** The direction of a call says which of its two numbers is the customer's. */
const isOutbound = ({ call_type }: CallFields) => /^out/i.test(call_type ?? "");

function toCustomer(record: CallFields): Party {
  const { customer_first_name: first, customer_middle_name: middle } = record;
  const names = [first, middle, record.customer_last_name].filter((name) => name !== null);
  const { ani, dnis, phone_number1, customer_email: mailto, company: org } = record;
  const tel = toTel(phone_number1 ?? (isOutbound(record) ? dnis : ani));
  return { role: "customer", ...dropUnset({ name: names.join(" ") || null, tel, mailto, org }) };
}

function toAgent(record: CallFields): Party {
  const { agent, agent_name: name, agent_group: dept, ani, dnis } = record;
  const mailto = agent?.includes("@") === true ? agent : null;
  const tel = toTel(isOutbound(record) ? ani : dnis);
  return { role: "agent", ...dropUnset({ name, mailto, dept, tel }) };
}

/**
 * Without visual separators. A local number gets no `tel:`, which RFC 3966 allows only with a context. Null if the
 * text is not a number, such as "anonymous".
 */
function toTel(number: string | null): string | null {
  const digits = (number ?? "").replace(/^tel:/i, "").replaceAll(/[\s().-]/g, "");
  if (/^\+\d+$/.test(digits)) return `tel:${digits}`;
  return /^\d+$/.test(digits) ? digits : null;
}

function dropUnset(
  fields: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      value === null ? [] : [[key, value] as const],
    ),
  );
}
