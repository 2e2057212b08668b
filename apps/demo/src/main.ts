// Generates the demo archive that the server package publishes: packages/server/demo/archive.jsonl and its recordings.
// It always makes the same archive; the sound is the same to the byte with the same versions of espeak-ng and ffmpeg.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createEmail,
  createEverydayCall,
  createInternalCall,
  createRecentCall,
  createStormCall,
  createTransfer,
  makeUnusual,
  pickRecentTime,
} from "./calls.ts";
import { createChat } from "./chats.ts";
import { createContact } from "./contact.ts";
import { readCustomers } from "./customers.ts";
import type { Customer } from "./customers.ts";
import { createLongCall } from "./long-call.ts";
import { DAY_MS } from "./moment.ts";
import { createRandom, existing } from "./random.ts";
import { toLines } from "./record.ts";
import type { ArchivedCall } from "./record.ts";
import { recordCall, repeatCall } from "./recorded-calls.ts";
import { readRecordingPlans } from "./recording-plans.ts";
import { findMissingProgram } from "./speech.ts";
import { createFlagLines, createUserLines } from "./users.ts";

const COUNTS = {
  chats: 26,
  emails: 12,
  internal: 4,
  transfers: 6,
  storm: 66,
  everyday: 155,
  recent: 150,
  repeated: 60,
};

const FIRST_CHAT_MS = Date.parse("2024-11-07T09:30:00Z");
const CHAT_INTERVAL_MS = 27 * DAY_MS + 40 * 60_000;

function createOtherCalls(firstNumber: number, customers: readonly Customer[]): ArchivedCall[] {
  let number = firstNumber;
  const repeat = <Item>(count: number, create: (number: number, index: number) => Item): Item[] =>
    Array.from({ length: count }, (_, index) => create(number++, index));
  return [
    ...repeat(COUNTS.chats, (next, index) =>
      createChat({ number: next, atMs: FIRST_CHAT_MS + index * CHAT_INTERVAL_MS }, customers),
    ),
    ...repeat(COUNTS.emails, (next) => createEmail(next, customers)),
    ...repeat(COUNTS.internal, createInternalCall),
    ...repeat(COUNTS.transfers, (next) => createTransfer(next, customers)).flat(),
    ...repeat(COUNTS.storm, (next) => createStormCall(next, customers)),
    ...makeUnusual(repeat(COUNTS.everyday, (next) => createEverydayCall(next, customers))),
    ...repeat(COUNTS.recent, (next) => createRecentCall(next, customers)),
  ];
}

/**
 * Two calls have the words for which the README lets people search, so that one is in any seven days that the console may
 * show first. As `demo` moves calls by whole weeks, the last of these days is here one from 1 to 7 November 2026.
 */
const PROPOSED = { script: /bill-too-high\.mp3$/, numbers: new Set([468, 485]) };

/** Recorded calls of the last weeks, but for the one that the guides look for and those of the storm. */
function repeatRecorded(firstNumber: number, recorded: readonly ArchivedCall[]): ArchivedCall[] {
  const proposed = recorded.find(({ recordings = [] }) =>
    PROPOSED.script.test(recordings[0]?.file ?? ""),
  );
  const usual = recorded.filter(
    ({ recordings = [] }) =>
      recordings.length === 1 && !/bill-too-high|outage|storm|part/.test(recordings[0]?.file ?? ""),
  );
  return Array.from({ length: COUNTS.repeated }, (_, index) => {
    const number = firstNumber + index;
    const call = existing(PROPOSED.numbers.has(number) ? proposed : usual[index % usual.length]);
    return repeatCall(call, number, pickRecentTime(createRandom(`call ${number}`)));
  });
}

function makeArchive(folder: string): void {
  const media = join(folder, "media");
  rmSync(media, { recursive: true, force: true });
  mkdirSync(media);

  const customers = readCustomers();
  const plans = readRecordingPlans(customers);
  const others = createOtherCalls(plans.length + 1, customers);
  const long = createLongCall(plans.length + others.length + 1, customers);
  const recorded = [...plans, long].flatMap((plan) => recordCall(plan, media));
  const repeated = repeatRecorded(plans.length + others.length + 2, recorded);
  const { chats, plan, masterId } = createContact(
    others.length + recorded.length + repeated.length + 1,
    customers,
  );
  const contact = recordCall(plan, media).map((leg) => ({ ...leg, masterId }));
  const calls = [...recorded, ...others, ...repeated, ...chats, ...contact];
  calls.sort((one, other) => (one.atMs ?? Infinity) - (other.atMs ?? Infinity) || 0);

  const lines = [...createUserLines(), ...createFlagLines(), ...calls.flatMap(toLines)];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(folder, "archive.jsonl"), text);
  process.stderr.write(`${calls.length} call records in ${lines.length} lines\n`);
}

const missing = findMissingProgram();
if (missing === undefined) {
  makeArchive(join(import.meta.dirname, "../../../packages/server/demo"));
} else {
  process.stderr.write(
    `${missing} is not on the path: the sound is made with espeak-ng and ffmpeg\n`,
  );
  process.exitCode = 1;
}
