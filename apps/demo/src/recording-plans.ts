// Which calls are recorded, by whom and how, read from recorded-calls.tsv; and the words that fill their slots.
import { agentNamed } from "./company.ts";
import type { Agent } from "./company.ts";
import { CONVERSATIONS } from "./conversations.ts";
import type { Conversation } from "./conversations.ts";
import type { Customer } from "./customers.ts";
import { DAY_MS, toSpokenDay } from "./moment.ts";
import { createRandom, existing } from "./random.ts";
import type { Random } from "./random.ts";
import type { Slots } from "./script.ts";
import type { Format, Voice } from "./speech.ts";
import { readTable } from "./table.ts";
import type { Row } from "./table.ts";
import { TRANSFERS } from "./transfers.ts";

export interface RecordingPlan {
  number: number;
  script: string;
  conversation: Conversation;
  atMs: number;
  /** One for each part of the conversation. */
  agents: readonly Agent[];
  customer: Customer;
  customerVoice: Voice;
  format: Format;
  /** The agent on the left channel and the customer on the right one. */
  stereo: boolean;
  /** True if the transcript is also stored as chat messages. */
  chat: boolean;
  /** True if each part has a record of its own, all with one call_id, as platforms write transfer legs. */
  recordPerPart: boolean;
  callId: string | null;
}

const FORMATS: readonly Format[] = ["mu-law", "pcm-8k", "pcm-16k", "mp3", "opus", "vorbis"];

const CUSTOMER_VOICES = {
  woman: ["en-gb-x-rp+f3", "en-gb-scotland+f4", "en-gb-x-gbclan+f2", "en+f5"],
  man: ["en-gb-x-rp+m3", "en-gb-scotland+m7", "en-gb-x-gbclan+m6", "en+m1"],
};

/** Reads the plans; the calls are numbered from 1. */
export function readRecordingPlans(customers: readonly Customer[]): RecordingPlan[] {
  const scripts: Record<string, Conversation> = { ...CONVERSATIONS, ...TRANSFERS };
  return readTable("recorded-calls.tsv").map((row, index) => {
    const name = row.text("customer");
    const customer = customers.find(({ email }) => email === name);
    const script = row.text("script");
    return {
      number: index + 1,
      script,
      conversation: existing(scripts[script], `conversation ${script}`),
      atMs: Date.parse(row.text("at")),
      agents: row.text("agents").split(",").map(agentNamed),
      customer: existing(customer, `customer ${name}`),
      customerVoice: toVoice(row, index),
      format: row.choice("format", FORMATS),
      stereo: row.choice("sound", ["mono", "stereo"]) === "stereo",
      chat: row.choice("chat", ["yes", "no"]) === "yes",
      recordPerPart: row.choice("records", ["one", "per part"]) === "per part",
      callId: row.optional("call_id"),
    };
  });
}

function toVoice(row: Row, index: number): Voice {
  const kind = row.choice("voice", ["woman", "man"]);
  const names = CUSTOMER_VOICES[kind];
  const name = existing(names[index % names.length]);
  return { name, pitch: kind === "woman" ? 56 + (index % 9) : 32 + (index % 9) };
}

/** The words for all slots of the plan's conversation but those that change from part to part. */
export function toSlots({ number, atMs, customer }: RecordingPlan): Slots {
  const random = createRandom(`recording ${number}`);
  return {
    customer: `${customer.firstName} ${customer.lastName}`,
    city: customer.city,
    street: customer.street.replace(/\d+,?/, "").trim(),
    amount: toSpokenAmount(random.integer(61, 289), customer, random),
    credit: toSpokenAmount(random.integer(8, 45), customer, random),
    past: toSpokenDay(atMs - random.integer(2, 9) * DAY_MS),
    day: toSpokenDay(atMs + random.integer(3, 16) * DAY_MS),
    reference: Array.from({ length: 4 }, () => random.integer(2, 9)).join(" "),
    number: String(random.integer(12, 90)),
    hours: random.pick(["two", "three", "four", "five"]),
  };
}

function toSpokenAmount(whole: number, { country, region }: Customer, random: Random): string {
  const parts = `${random.integer(2, 19) * 5}`;
  if (country === "United Kingdom") return `${whole} pounds and ${parts} pence`;
  return `${whole} ${region === "EMEA" ? "euros" : "dollars"} and ${parts} cents`;
}
