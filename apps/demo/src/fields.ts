// From the facts of one call to its metadata record: who, where, how long, and what the free and security fields mean here.
import type { Campaign, Outcome } from "./campaigns.ts";
import type { Agent } from "./company.ts";
import type { Customer } from "./customers.ts";
import { toTimestamp } from "./moment.ts";
import { createRandom } from "./random.ts";
import type { Random } from "./random.ts";
import type { CallRecord } from "./record.ts";

export interface CallFacts {
  /** The running number of the call: its identifiers and all that is left to chance come from it. */
  number: number;
  atMs: number | null;
  media: "Voice" | "Chat" | "Email";
  callType: string;
  outbound: boolean;
  /** Null for a call outside of every campaign. */
  campaign: Campaign | null;
  skill: string | null;
  outcome: Outcome;
  /** Null when the caller left before an agent answered. */
  agent: Agent | null;
  /** Null for a caller who is not known. */
  customer: Customer | null;
  talkSeconds: number | null;
}

/** The identifiers that the call with this number has, unless its platform writes others. */
export function toIdentifiers(number: number): {
  readonly call_id: string;
  readonly ref_id: string;
} {
  return {
    call_id: String(300_000_000_100_000 + number * 17),
    ref_id: `FHR-${String(number).padStart(6, "0")}`,
  };
}

/** Makes the record; fields without a fact are null. */
export function createRecord(facts: CallFacts): CallRecord {
  const random = createRandom(`record ${facts.number}`);
  return {
    ...identify(facts),
    ...describeRoute(facts, random),
    ...describeOutcome(facts, random),
    ...(facts.customer && describeCustomer(facts.customer, random)),
    ...describeAccount(facts, random),
    ...classify(facts, random),
  };
}

function identify({ number, atMs, agent }: CallFacts): CallRecord {
  return {
    datetime: atMs === null ? null : toTimestamp(atMs, agent ? agent.group.offset : "Z"),
    ...toIdentifiers(number),
  };
}

function describeRoute(facts: CallFacts, random: Random): CallRecord {
  const { campaign, agent, customer, outbound, media } = facts;
  const skill = campaign?.skills.find(({ name }) => name === facts.skill);
  const caller = customer?.phone ?? "anonymous";
  const company = campaign?.dnis ?? "8005550100";
  const numbers = outbound ? { ani: company, dnis: caller } : { ani: caller, dnis: company };
  const state = customer?.country === "United States" ? customer.state : null;
  return {
    ...(media === "Voice" && numbers),
    ...(media === "Voice" && (outbound ? { dnis_state: state } : { ani_state: state })),
    agent: agent?.username ?? null,
    agent_name: agent?.name ?? null,
    agent_group: agent?.group.name ?? null,
    agent_group_id: agent?.group.id ?? null,
    campaign: campaign?.name ?? null,
    campaign_id: campaign?.id ?? null,
    campaign_type: campaign && (outbound ? "Outbound" : "Inbound"),
    call_type: facts.callType,
    skill: skill?.name ?? null,
    skill_id: skill?.id ?? null,
    ivr_path: campaign && media === "Voice" && !outbound ? random.pick(campaign.ivrPaths) : null,
    lead_id: outbound ? `L-${random.integer(20_000, 89_999)}` : null,
    media,
  };
}

function describeOutcome({ outcome, talkSeconds }: CallFacts, random: Random): CallRecord {
  const afterCallSeconds = random.integer(8, 95);
  return {
    talk_time: talkSeconds,
    handle_time: talkSeconds === null ? null : talkSeconds && talkSeconds + afterCallSeconds,
    disposition: outcome.name,
    disposition_id: outcome.id,
    disposition_notes:
      outcome.notes.length > 0 && random.chance(0.6) ? random.pick(outcome.notes) : null,
    notes: random.chance(0.12) ? random.pick(NOTES) : null,
  };
}

const NOTES = [
  "Prefers to be called after 17:00.",
  "Spoke on behalf of a parent; authority is on file.",
  "Asked for the bill in large print.",
  "Second contact about the same matter this month.",
  "Line was poor; details were read back and confirmed.",
];

function describeCustomer(customer: Customer, random: Random): CallRecord {
  return {
    customer_first_name: customer.firstName,
    customer_middle_name: customer.middleName,
    customer_last_name: customer.lastName,
    customer_email: `${customer.email}@example.com`,
    // Platforms write numbers in their own ways, so the same digits appear in more than one.
    phone_number1: customer.phone.replace(/(...)(...)(....)/, "($1) $2-$3"),
    phone_number2: random.chance(0.2) ? `${customer.phone.slice(0, 6)}0199` : null,
    phone_number3: random.chance(0.05) ? "+1 800.555.0198" : null,
    country: customer.country,
    state_id: customer.state,
    zip: customer.zip,
    street: customer.street,
    city: customer.city,
    company: customer.company,
  };
}

/** The free fields as Fernhollow uses them; README.md of the demo lists their meaning. */
function describeAccount(
  { campaign, customer, agent, media }: CallFacts,
  random: Random,
): CallRecord {
  return {
    custom_field_1: customer && `4471${customer.phone.slice(-4)}`,
    custom_field_2: customer && random.pick(["Home Flex", "Home Fixed", "Fibre 100", "Fibre 500"]),
    custom_field_3: random.chance(0.3) ? String(random.integer(1, 5)) : null,
    custom_field_4: media === "Voice" ? String(random.integer(0, 240)) : null,
    custom_field_5: media === "Voice" ? "Recorded with notice" : null,
    custom_field_8:
      campaign?.name === "Broadband Sales" ? `ORD-${random.integer(4000, 9999)}` : null,
    custom_field_12: campaign?.name === "Outage Line" ? `FLT-${random.integer(100, 160)}` : null,
    custom_field_20: agent?.group.offset === null ? "Old system" : null,
  };
}

/** What access is decided by: region, sensitivity, retention, customer class, legal hold. An unknown caller has no region. */
function classify({ campaign, customer }: CallFacts, random: Random): CallRecord {
  const payment = campaign?.name === "Billing Support" && random.chance(0.4);
  return {
    security_field_01: customer?.region ?? null,
    security_field_02: payment ? "Payment data" : "Standard",
    security_field_03: random.chance(0.25) ? "6 years" : "2 years",
    security_field_04: customer && (customer.company === null ? "Residential" : "Business"),
    security_field_05: random.chance(0.03) ? "Legal hold" : null,
  };
}
