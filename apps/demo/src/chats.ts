// Chats: a record of the chat and its messages, each some seconds after the one before.
import { campaignNamed, outcomeNamed } from "./campaigns.ts";
import { AGENTS } from "./company.ts";
import type { Agent } from "./company.ts";
import { CHAT_SCRIPTS } from "./chat-scripts.ts";
import type { Customer } from "./customers.ts";
import { createRecord } from "./fields.ts";
import { toTimestamp } from "./moment.ts";
import { createRandom, existing } from "./random.ts";
import type { Random } from "./random.ts";
import type { ArchivedCall, ChatMessage } from "./record.ts";
import { parseTurns } from "./script.ts";
import type { Slots, Turn } from "./script.ts";

interface Room {
  number: number;
  atMs: number;
  agent: Agent;
  customer: Customer;
}

/** A chat at a given time; the scripts take turns by number. */
export function createChat(
  { number, atMs }: { number: number; atMs: number },
  customers: readonly Customer[],
): ArchivedCall {
  const random = createRandom(`chat ${number}`);
  const script = existing(CHAT_SCRIPTS[number % CHAT_SCRIPTS.length]);
  const campaign = campaignNamed(script.campaign);
  const agents = AGENTS.filter(({ group }) => campaign.groups.includes(group.name));
  const room = { number, atMs, agent: random.pick(agents), customer: random.pick(customers) };
  const turns = parseTurns(script.text, toSlots(room, random));
  const record = createRecord({
    ...room,
    media: "Chat",
    callType: "Chat",
    outbound: false,
    campaign,
    skill: script.skill,
    outcome: outcomeNamed(campaign, script.outcome),
    talkSeconds: null,
  });
  return { atMs, record, sessionId: `FHS-${number}`, messages: toMessages(turns, room, random) };
}

function toSlots({ agent, customer }: Room, random: Random): Slots {
  return {
    agent: agent.name.split(" ")[0] ?? agent.name,
    first: customer.firstName,
    city: customer.city,
    email: `${customer.email}@example.com`,
    price: `${random.integer(9, 180)}.${random.integer(10, 99)}`,
    reference: `FH${random.integer(1000, 9999)}`,
  };
}

function toMessages(turns: readonly Turn[], room: Room, random: Random): ChatMessage[] {
  let atMs = room.atMs;
  return turns.map(({ party, label, text }) => {
    atMs += random.integer(4, 45) * 1000;
    return {
      transcript: text === "" ? null : text,
      datetime: toTimestamp(atMs, room.agent.group.offset ?? "Z"),
      party_type: party,
      label,
      room_id: `room-${room.number}`,
    };
  });
}
