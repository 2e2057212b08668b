// Calls without a recording: the everyday ones, those of the storm day, abandoned and internal ones, e-mails, and transfer legs.
import { CAMPAIGNS, campaignNamed } from "./campaigns.ts";
import type { Campaign, Outcome } from "./campaigns.ts";
import { AGENTS } from "./company.ts";
import type { Agent } from "./company.ts";
import type { Customer } from "./customers.ts";
import { createRecord } from "./fields.ts";
import type { CallFacts } from "./fields.ts";
import { DAY_MS } from "./moment.ts";
import { createRandom } from "./random.ts";
import type { Random } from "./random.ts";
import type { ArchivedCall } from "./record.ts";

const FIRST_DAY_MS = Date.parse("2024-11-01T00:00:00Z");
const DAYS = 730;
// The week after the two years is cut off by the day that the demo is made on: see demo-dates.ts of the server.
const FIRST_RECENT_DAY_MS = Date.parse("2026-10-19T00:00:00Z");
const RECENT_DAYS = 19;
const STORM_DAY_MS = Date.parse("2026-03-02T00:00:00Z");

const ABANDONED_SHARE = 0.07;
const UNKNOWN_CALLER_SHARE = 0.08;

const ABANDONED: Outcome = { id: "D-900", name: "Abandoned", weight: 1, notes: [] };
const INTERNAL: Outcome = {
  id: "D-910",
  name: "Internal call",
  weight: 1,
  notes: ["Shift change"],
};

/** Call identifiers as some platforms write them: what must be percent-encoded in a path. */
const UNUSUAL_CALL_IDS = ["Q/17 & co", "100% sure?", "通話-2026-05-01", "a+b=c;d#1", "Zoë's call"];

/** A call at any time of the two years, busier in winter and on working days. */
export function createEverydayCall(number: number, customers: readonly Customer[]): ArchivedCall {
  const random = createRandom(`call ${number}`);
  const atMs = pickWorkingDay(random) + random.integer(7 * 3600, 20 * 3600) * 1000;
  const campaign = random.pickWeighted(CAMPAIGNS);
  const facts = toFacts({ number, atMs, campaign }, random, customers);
  return toCall(random.chance(ABANDONED_SHARE) ? abandon(facts) : facts);
}

/** A call of the last weeks: some ten a day, so that the last seven days always fill a page. */
export function createRecentCall(number: number, customers: readonly Customer[]): ArchivedCall {
  const random = createRandom(`call ${number}`);
  const atMs = pickRecentTime(random);
  const campaign = random.pickWeighted(CAMPAIGNS);
  const facts = toFacts({ number, atMs, campaign }, random, customers);
  return toCall(random.chance(ABANDONED_SHARE) ? abandon(facts) : facts);
}

/** A call of 2 March 2026, when a storm took the power: more of them than one page holds. */
export function createStormCall(number: number, customers: readonly Customer[]): ArchivedCall {
  const random = createRandom(`call ${number}`);
  const atMs = STORM_DAY_MS + random.integer(4 * 3600, 23 * 3600) * 1000;
  const outage = campaignNamed("Outage Line");
  const campaign = random.chance(0.75) ? outage : random.pickWeighted(CAMPAIGNS);
  const facts = toFacts({ number, atMs, campaign }, random, customers);
  return toCall(random.chance(ABANDONED_SHARE) ? abandon(facts) : facts);
}

/** An e-mail: it has no numbers and no talk time. */
export function createEmail(number: number, customers: readonly Customer[]): ArchivedCall {
  const random = createRandom(`call ${number}`);
  const atMs = pickWorkingDay(random) + random.integer(0, 24 * 3600 - 1) * 1000;
  const campaign = random.pickWeighted(CAMPAIGNS);
  const facts = toFacts({ number, atMs, campaign }, random, customers);
  return toCall({
    ...facts,
    media: "Email",
    callType: "Email",
    outbound: false,
    talkSeconds: null,
  });
}

/** A call between agents, outside of every campaign: nobody limited to campaigns may see it. */
export function createInternalCall(number: number): ArchivedCall {
  const random = createRandom(`call ${number}`);
  return toCall({
    number,
    atMs: pickWorkingDay(random) + random.integer(8 * 3600, 18 * 3600) * 1000,
    media: "Voice",
    callType: "Internal",
    outbound: false,
    campaign: null,
    skill: null,
    outcome: INTERNAL,
    agent: random.pick(AGENTS),
    customer: null,
    talkSeconds: random.integer(20, 300),
  });
}

/** The same call as a second agent took it over: same identifiers, a later time, another agent of the same campaign. */
export function createTransfer(number: number, customers: readonly Customer[]): ArchivedCall[] {
  const random = createRandom(`call ${number}`);
  const atMs = pickWorkingDay(random) + random.integer(7 * 3600, 19 * 3600) * 1000;
  const campaign = random.pick(CAMPAIGNS.filter(({ groups }) => groups.length > 1));
  const agents = agentsOf(campaign);
  const first = random.pick(agents);
  const second = random.pick(agents.filter(({ group }) => group !== first.group));
  const facts = toFacts({ number, atMs, campaign }, random, customers);
  const laterMs = atMs + random.integer(90, 600) * 1000;
  const legs = [
    toCall({ ...facts, agent: first, talkSeconds: random.integer(30, 240) }),
    toCall({ ...facts, agent: second, callType: "Transfer", atMs: laterMs }),
  ];
  return legs.map((leg, index) => ({
    ...leg,
    masterId: `FHM-${number}`,
    record: { ...leg.record, dest_agent_name: index === 0 ? second.name : null },
  }));
}

/** Gives the first calls identifiers with characters that a path must escape, and takes the time from the two after them. */
export function makeUnusual(calls: readonly ArchivedCall[]): ArchivedCall[] {
  return calls.map((call, index) => {
    const callId = UNUSUAL_CALL_IDS[index];
    if (callId !== undefined) return { ...call, record: { ...call.record, call_id: callId } };
    if (index >= UNUSUAL_CALL_IDS.length + 2) return call;
    return { ...call, atMs: null, record: { ...call.record, datetime: null } };
  });
}

function toCall(facts: CallFacts): ArchivedCall {
  const record = createRecord(facts);
  const session = facts.number % 6 === 0 ? { sessionId: `FHS-${facts.number}` } : {};
  return { atMs: facts.atMs, record, ...session };
}

function toFacts(
  given: { number: number; atMs: number; campaign: Campaign },
  random: Random,
  customers: readonly Customer[],
): CallFacts {
  const { campaign } = given;
  const outbound = random.chance(campaign.outboundShare);
  return {
    ...given,
    media: "Voice",
    callType: outbound ? random.pick(["Outbound", "Manual", "Queue callback"]) : "Inbound",
    outbound,
    skill: random.pick(campaign.skills).name,
    outcome: random.pickWeighted(campaign.outcomes),
    agent: random.pick(agentsOf(campaign)),
    customer: random.chance(UNKNOWN_CALLER_SHARE) ? null : random.pick(customers),
    talkSeconds: random.integer(25, random.chance(0.1) ? 1800 : 480),
  };
}

/** The caller left the queue before an agent answered. */
function abandon(facts: CallFacts): CallFacts {
  const nobody = { agent: null, outcome: ABANDONED, talkSeconds: 0 };
  return { ...facts, ...nobody, callType: "Inbound", outbound: false };
}

function agentsOf({ groups }: Campaign): Agent[] {
  return AGENTS.filter(({ group }) => groups.includes(group.name));
}

export function pickRecentTime(random: Random): number {
  const dayMs = FIRST_RECENT_DAY_MS + random.integer(0, RECENT_DAYS - 1) * DAY_MS;
  return dayMs + random.integer(7 * 3600, 20 * 3600) * 1000;
}

function pickWorkingDay(random: Random): number {
  const dayMs = FIRST_DAY_MS + random.integer(0, DAYS - 1) * DAY_MS;
  const date = new Date(dayMs);
  const isWeekend = [0, 6].includes(date.getUTCDay());
  const isWinter = [0, 1, 10, 11].includes(date.getUTCMonth());
  const share = (isWeekend ? 0.25 : 1) * (isWinter ? 1 : 0.6);
  return random.chance(share) ? dayMs : pickWorkingDay(random);
}
