// One customer with much to read: chats over the years, and at last a contact of a chat, a call, and the agent who took the call over.
import { createChat } from "./chats.ts";
import { agentNamed } from "./company.ts";
import type { Customer } from "./customers.ts";
import { DAY_MS } from "./moment.ts";
import { existing } from "./random.ts";
import type { ArchivedCall } from "./record.ts";
import type { RecordingPlan } from "./recording-plans.ts";
import { TRANSFERS } from "./transfers.ts";

const CUSTOMER = "grace.santos";
const CHATS = 12;
const FIRST_CHAT_MS = Date.parse("2025-03-04T14:10:00Z");
const CHAT_INTERVAL_MS = 48 * DAY_MS + 25 * 60_000;

// Within the last nine days, whenever the demo is made.
const CONTACT_MS = Date.parse("2026-10-30T12:52:00Z");
const CALL_MS = CONTACT_MS + 14 * 60_000;

export interface Contact {
  readonly chats: readonly ArchivedCall[];
  /** The recordings of the call, in which each agent has a record of their own. */
  readonly plan: RecordingPlan;
  readonly masterId: string;
}

/** The chats are numbered from `firstNumber` on, and then the call. */
export function createContact(firstNumber: number, customers: readonly Customer[]): Contact {
  const customer = existing(customers.find(({ email }) => email === CUSTOMER));
  const number = firstNumber + CHATS;
  const masterId = `FHM-${number}`;
  const chats = Array.from({ length: CHATS }, (_, index) => {
    const isOfContact = index === CHATS - 1;
    const atMs = isOfContact ? CONTACT_MS : FIRST_CHAT_MS + index * CHAT_INTERVAL_MS;
    const chat = createChat({ number: firstNumber + index, atMs }, [customer]);
    return isOfContact ? { ...chat, masterId } : chat;
  });
  const plan: RecordingPlan = {
    number,
    script: "sale-then-setup",
    conversation: TRANSFERS["sale-then-setup"],
    atMs: CALL_MS,
    agents: ["hana.kobayashi", "leila.benali"].map(agentNamed),
    customer,
    customerVoice: { name: "en-gb-x-gbclan+f2", pitch: 60 },
    format: "vbr-mp3",
    stereo: false,
    chat: true,
    recordPerPart: true,
    callId: null,
  };
  return { chats, plan, masterId };
}
