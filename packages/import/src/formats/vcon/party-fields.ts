// What a call's record says of its people, from parties of a vCon.
import { readText } from "../json-value.ts";
import { toCustomerName } from "../person-name.ts";
import { type Part, readPart } from "./vcon.ts";

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
