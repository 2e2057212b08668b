// Makes the demo archive anew: archive.jsonl and the recordings in media/. Run it with `node packages/server/demo/make.ts`.
// It always makes the same archive; the sound is the same to the byte with the same versions of espeak-ng and ffmpeg.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createEmail,
  createEverydayCall,
  createInternalCall,
  createStormCall,
  createTransfer,
  makeUnusual,
} from "./make/calls.ts";
import { createChat } from "./make/chats.ts";
import { readCustomers } from "./make/customers.ts";
import type { Customer } from "./make/customers.ts";
import { DAY_MS } from "./make/moment.ts";
import { toLines } from "./make/record.ts";
import type { ArchivedCall } from "./make/record.ts";
import { recordCall } from "./make/recorded-calls.ts";
import { readRecordingPlans } from "./make/recording-plans.ts";
import { findMissingProgram } from "./make/speech.ts";
import { createFlagLines, createUserLines } from "./make/users.ts";

const COUNTS = { chats: 26, emails: 12, internal: 4, transfers: 6, storm: 66, everyday: 155 };

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
  ];
}

function makeArchive(folder: string): void {
  const media = join(folder, "media");
  rmSync(media, { recursive: true, force: true });
  mkdirSync(media);

  const customers = readCustomers();
  const plans = readRecordingPlans(customers);
  const recorded = plans.flatMap((plan) => recordCall(plan, media));
  const calls = [...recorded, ...createOtherCalls(plans.length + 1, customers)];
  calls.sort((one, other) => (one.atMs ?? Infinity) - (other.atMs ?? Infinity) || 0);

  const lines = [...createUserLines(), ...createFlagLines(), ...calls.flatMap(toLines)];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(folder, "archive.jsonl"), text);
  process.stderr.write(`${calls.length} call records in ${lines.length} lines\n`);
}

const missing = findMissingProgram();
if (missing === undefined) {
  makeArchive(import.meta.dirname);
} else {
  process.stderr.write(
    `${missing} is not on the path: the sound is made with espeak-ng and ffmpeg\n`,
  );
  process.exitCode = 1;
}
