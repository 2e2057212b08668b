// The roles of the parties of a vCon: agent, customer, caller.
import { isObject, parseJson } from "../../json.ts";
import { readText } from "../json-value.ts";
import { findFirst, type Part, readPart, type Vcon } from "./vcon.ts";

export interface Conversation {
  readonly agent: Part | undefined;
  readonly customer: Part | undefined;
  readonly caller: Part | undefined;
  readonly called: Part | undefined;
  /** As far as the vCon says so itself. */
  readonly direction: "Inbound" | "Outbound" | undefined;
  /** Free-form objects of dialogs, then of attachments. */
  readonly details: readonly Part[];
}

const CUSTOMER_ROLES = ["customer", "contact", "caller", "client"];
const INBOUND = /^in(?:bound|coming)?$/i;
const OUTBOUND = /^out(?:bound|going)?$/i;

export function createConversation(vcon: Vcon): Conversation {
  const { parties, dialog } = vcon;
  const byRole = (...roles: readonly string[]) =>
    parties.find((party) => roles.includes(toRole(party)?.toLowerCase() ?? ""));
  const first = findFirst(dialog, (part) => toOriginator(part, parties)) ?? parties[0];
  const agent = byRole("agent");
  // A party without a role may be the customer, most likely the one who turned to the contact centre.
  const unnamed = parties.filter((party) => toRole(party) === undefined);
  const customer =
    byRole(...CUSTOMER_ROLES) ?? unnamed.find((party) => party === first) ?? unnamed[0];
  const details = toDetails(vcon);
  const direction = findFirst(details, toDirection);
  const caller =
    (direction === undefined ? undefined : { Inbound: customer, Outbound: agent }[direction]) ??
    first;
  const called = [agent, customer, ...parties].find(
    (party) => party !== undefined && party !== caller,
  );
  return { agent, customer, caller, called, direction, details };
}

/** The party a dialog comes from: its originator, else the first of its parties. */
export function toOriginator(dialog: Part, parties: readonly Part[]): Part | undefined {
  const named = [dialog["originator"], dialog["parties"]]
    .flat(3)
    .find((index) => typeof index === "number");
  return typeof named === "number" ? parties[named] : undefined;
}

export function toRole(party: Part): string | undefined {
  return readText(party, "role") ?? readText(readPart(party, "meta"), "role");
}

function toDirection(detail: Part): Conversation["direction"] {
  const text = readText(detail, "direction", "interaction_type") ?? "";
  if (INBOUND.test(text)) return "Inbound";
  return OUTBOUND.test(text) ? "Outbound" : undefined;
}

function toDetails({ dialog, attachments }: Vcon): readonly Part[] {
  const bodies = attachments.map(({ body }) => {
    const parsed = typeof body === "string" ? parseJson(body) : { value: body };
    return "value" in parsed ? parsed.value : undefined;
  });
  return [...dialog.flatMap((part) => [part["meta"], part]), ...bodies].filter(isObject);
}

type Fields = Record<string, string | undefined>;

/** The telephone number of a party, without the scheme of a URI. */
export function toNumber(party: Part | undefined): string | undefined {
  return readText(party, "tel")?.replace(/^tel:/i, "");
}

export function toAgentFields(agent: Part | undefined): Fields {
  const extension = readText(agent, "extension") ?? readText(readPart(agent, "meta"), "extension");
  return {
    agent: toAddress(agent) ?? extension ?? readText(agent, "uuid", "id") ?? toNumber(agent),
    agent_name: toName(agent),
    agent_group: readText(agent, "dept"),
  };
}

export function toCustomerFields(customer: Part | undefined): Fields {
  return {
    ...toCustomerName(toName(customer)),
    customer_email: toAddress(customer),
    phone_number1: toNumber(customer),
    company: readText(customer, "org"),
  };
}

// Programs that know no name put the number or the address in its place.
function toName(party: Part | undefined): string | undefined {
  const name = readText(party, "name")?.trim();
  return name === undefined || /^[+\d\s().-]+$/.test(name) || name.includes("@") ? undefined : name;
}

function toAddress(party: Part | undefined): string | undefined {
  return readText(party, "mailto")?.replace(/^mailto:/i, "");
}

/** First word, last word and the words between them. A single word is the first name. */
function toCustomerName(name: string | undefined) {
  const [first, ...others] = name?.trim().split(/\s+/) ?? [];
  const last = others.pop();
  return {
    customer_first_name: first || undefined,
    customer_middle_name: others.join(" ") || undefined,
    customer_last_name: last,
  };
}
