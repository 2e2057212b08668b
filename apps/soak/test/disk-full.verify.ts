// A disk without room: what cannot be written is refused and said, nothing is lost or half done, and room is all it needs.
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeDemoArchive, makeFolder } from "./support/archive.ts";
import { expectWell, summarize } from "./support/archive-check.ts";
import { readAccessLog } from "./support/audit.ts";
import { type Disk, findMountFault, mountDisk } from "./support/disk.ts";
import { importInto, toAccount } from "./support/importing.ts";
import { createQuestions, type Questions } from "./support/questions.ts";
import { expectRefused, type Reply, startServing, untilStatus } from "./support/serving.ts";
import { writeSource } from "./support/source.ts";

const fault = findMountFault();
if (fault !== undefined) console.warn(`SKIPPED, full disks: ${fault}`);

const MEBIBYTE = 1_048_576;
const ROWS = 9_000;
/** The rows that are stored before the disk is full. A transaction of an import has room for all the others. */
const ROWS_BEFORE = 2_000;

test.skipIf(fault)("an import stops in one line, and the next one completes it", async () => {
  const folder = await makeFolder();
  const source = await writeSource(folder, "calls", ROWS);
  const disk = await mountDisk(128);
  const directory = join(disk.folder, "archive");
  const before = await writeSource(join(folder, "before"), "calls", ROWS_BEFORE);
  const { imported } = toAccount(await importInto(directory, before).ended);

  disk.fill(12 * MEBIBYTE);
  const { code, stderr, stdout } = await importInto(directory, source).ended;
  expect([code, stdout]).toEqual([1, ""]);
  // An import that takes longer than ten seconds logs its progress before this line.
  expect(stderr).toMatch(/^([\d,]+ rows: .*\n)*call-media-server: .*(full|no space left).*\n$/);
  disk.makeRoom();
  await expectWell(directory);
  const { calls, chats } = summarize(directory);
  expect(calls + chats).toBeGreaterThanOrEqual(imported);

  const account = toAccount(await importInto(directory, source).ended);
  const { expected } = source;
  expect(account).toEqual({
    ...expected,
    imported: expected.imported - calls - chats,
    unchanged: expected.unchanged + calls + chats,
  });
  expect(await expectWell(directory)).toEqual([]);
});

test.skipIf(fault)(
  "reads and sign-ins are refused until there is room, and every read has its row",
  async () => {
    const disk = await mountDisk(64);
    const archive = await makeDemoArchive(disk.folder);
    const { directory } = archive;
    const serving = await startServing(directory);
    const questions = createQuestions(serving.baseUrl, archive);
    const { recording, metadata, signIn, ready, alive } = questions;

    const before = [await recording(), await metadata(), await signIn()];
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200]);
    const read = [...before.slice(0, 2), ...(await fillUp(disk, questions))];
    for (let round = 0; round < 20; round += 1) {
      expectRefused(await recording(), 503);
      expectRefused(await metadata(), 503);
      expectRefused(await signIn(), 503);
    }
    await untilStatus(ready, 503);
    expect((await alive()).status).toBe(200);

    disk.makeRoom();
    for (const question of [recording, metadata, signIn, ready]) await untilStatus(question, 200);
    expect(await serving.stop()).toMatchObject({ code: 0 });
    const logged = new Set((await readAccessLog(directory)).map(({ requestId }) => requestId));
    expect(read.filter(({ requestId }) => !logged.has(requestId))).toEqual([]);
    await expectWell(directory);
  },
);

/** Fills the disk and what SQLite has kept of it for itself; gives the reads that were still answered. */
async function fillUp(disk: Disk, questions: Questions): Promise<Reply[]> {
  disk.fill(0);
  const answered: Reply[] = [];
  for (const question of [questions.recording, questions.metadata, questions.signIn]) {
    const replies = await askUntilRefused(question);
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    if (question !== questions.signIn) answered.push(...replies);
  }
  return answered;
}

// A database has room for some thousand rows before it asks the disk for more.
const MOST_ANSWERED = 5_000;

async function askUntilRefused(question: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  while (replies.length < MOST_ANSWERED) {
    const reply = await question();
    if (reply.status === 503) return replies;
    replies.push(reply);
  }
  throw new Error(`${MOST_ANSWERED} were answered, and none refused`);
}
