// Generated calls that depend only on the seed. Filled fields, distinct values and bytes match the calls of a contact centre of
// two hundred agents.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { fieldsOf } from "@call-media/api";
import type { MetadataRecord } from "@call-media/store";
import { createRandom, type Random } from "./random.ts";
import { CAMPAIGNS, CITIES, DISPOSITIONS, GIVEN_NAMES, SURNAMES } from "./words.ts";

/** The days of the rows, both inclusive. */
export const FIRST_DAY = "2024-10-01";
export const LAST_DAY = "2026-09-30";

export const AGENTS = 200;
export const SKILLS = 40;
export const GROUPS = 25;

/** One row in this number has `custom_field_7`, with one of twenty values. */
const RARE_ONE_IN = 500;

const FIRST_MS = Date.parse(`${FIRST_DAY}T00:00:00Z`);
const SPAN_MS = Date.parse(`${LAST_DAY}T23:59:59Z`) - FIRST_MS;

const EMPTY = Object.fromEntries(
  fieldsOf("MetadataRecord").map((field) => [field, null]),
) as MetadataRecord; // every field may be null

/** Yields `count` calls, oldest first, spread evenly over the two years. */
export function* createRows(count: number, seed = 1): Generator<MetadataRecord> {
  const random = createRandom(seed);
  for (let index = 0; index < count; index++) {
    const startMs = FIRST_MS + Math.floor((SPAN_MS * (index + random.next())) / count);
    yield { ...EMPTY, ...toCall(random, toCallId(index), startMs), ...toCustomer(random, index) };
  }
}

/** The call_id of the row with this `index`, from 0. */
export function toCallId(index: number): string {
  return String(300_000_000_000 + index * 7);
}

// The number of calls written at a time.
const BATCH_ROWS = 5_000;

export function* toBatches(rows: Iterable<MetadataRecord>): Generator<readonly MetadataRecord[]> {
  let batch: MetadataRecord[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Writes `rows` in the archive's own format, without the fields that are null. */
export async function writeJsonl(path: string, rows: Iterable<MetadataRecord>): Promise<void> {
  const file = createWriteStream(path);
  for (const row of rows) {
    const filled = Object.entries(row).filter(([, value]) => value !== null);
    const line = JSON.stringify({ kind: "call", ...Object.fromEntries(filled) });
    if (!file.write(`${line}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}

/** The value of field `name` with this `index`; agents, skills and groups are counted from 0. */
export function toName(name: "agent" | "skill" | "agent_group", index: number): string {
  return `${{ agent: "agent", skill: "Skill ", agent_group: "Team " }[name]}${100 + index}`;
}

function toCall(random: Random, id: string, startMs: number): Partial<MetadataRecord> {
  const agent = random.below(AGENTS);
  const skill = random.below(SKILLS);
  const campaign = random.skewed(CAMPAIGNS.length);
  const disposition = random.skewed(DISPOSITIONS.length);
  const talkSeconds = 15 + Math.floor(-240 * Math.log(1 - random.next()));
  const datetime = new Date(startMs).toISOString().slice(0, 19);
  return {
    datetime: `${datetime}+00:00`,
    call_id: id,
    ref_id: `${random.hex(8)}-${random.hex(8)}-${random.hex(8)}-${id}`,
    agent: toName("agent", agent),
    agent_name: `${GIVEN_NAMES[agent % GIVEN_NAMES.length]} ${SURNAMES[(agent * 7) % SURNAMES.length]}`,
    agent_group: toName("agent_group", agent % GROUPS),
    campaign: CAMPAIGNS[campaign] ?? null,
    call_type: campaign % 3 === 0 ? "Outbound" : "Inbound",
    skill: toName("skill", skill),
    disposition: DISPOSITIONS[disposition] ?? null,
    disposition_notes: random.isOneIn(5) ? `Asked about order ${random.hex(6)}, call back` : null,
    talk_time: talkSeconds,
    handle_time: talkSeconds + 5 + random.below(90),
    recordings: `${datetime.replaceAll(":", "")}_${toName("agent", agent)}_${id}.wav`,
    ivr_path: `Welcome > Language > Menu ${random.below(9)} > ${toName("skill", skill)} > Queue ${random.below(6)}`,
    media: "voice",
    custom_field_1: `ORD-${random.digits(9)}`,
    custom_field_2: `https://crm.example.com/cases/${random.digits(12)}`,
    custom_field_7: random.isOneIn(RARE_ONE_IN) ? `escalation ${random.below(20)}` : null,
    security_field_01: `Region ${random.below(30)}`,
    notes: random.isOneIn(3)
      ? `Customer was told that case ${random.hex(8)} is open. `.repeat(2)
      : null,
  };
}

function toCustomer(random: Random, index: number): Partial<MetadataRecord> {
  const given = random.pick(GIVEN_NAMES);
  const surname = random.pick(SURNAMES);
  const city = random.pick(CITIES);
  const phone = random.digits(10);
  return {
    ani: phone,
    dnis: `800${random.below(10_000) + 5_550_000}`,
    ani_state: city.state,
    customer_first_name: given,
    customer_last_name: surname,
    customer_email: `${given}.${surname}.${index}@example.com`.toLowerCase(),
    phone_number1: phone,
    city: city.name,
    zip: random.digits(5),
    lead_id: random.isOneIn(4) ? random.digits(8) : null,
  };
}
