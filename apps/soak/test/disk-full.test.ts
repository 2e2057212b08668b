// A disk without room: what cannot be written is refused and said, nothing is lost or half done, and room is all it needs.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type DemoArchive, makeDemoArchive, makeFolder } from "./support/archive.ts";
import { expectWell, summarize } from "./support/archive-check.ts";
import { readAccessLog } from "./support/audit.ts";
import { type Disk, findMountFault, mountDisk } from "./support/disk.ts";
import { runProgram } from "./support/program.ts";
import { ask, expectRefused, type Reply, startServing, untilStatus } from "./support/serving.ts";
import { writeSource } from "./support/source.ts";

const fault = findMountFault();
if (fault !== undefined) console.warn(`SKIPPED, full disks: ${fault}`);

const MEBIBYTE = 1_048_576;
const ROWS = 9_000;
const SOME_REJECTED = 2;

test.skipIf(fault)("an import stops in one line, and the next one completes it", async () => {
  const folder = await makeFolder();
  const { path, expected } = await writeSource(folder, "calls", ROWS);
  const disk = await mountDisk(128);
  const directory = join(disk.folder, "archive");
  const rejects = join(folder, "rejected.jsonl");
  const toImport = ["import", "--data", directory, "--format", "jsonl", "--rejects", rejects, path];

  disk.fill(24 * MEBIBYTE);
  const { stderr, stdout } = await runProgram(toImport, [1]);
  expect(stderr).toMatch(/^call-media-server: .*(full|no space left).*\n$/);
  expect(stdout).toBe("");
  disk.makeRoom();
  await expectWell(directory);
  const { calls, chats } = summarize(directory);

  const again = await runProgram(toImport, [SOME_REJECTED]);
  const [read, imported, unchanged, rejected] = toNumbers(again.stdout);
  expect({ read, rejected }).toEqual({ read: expected.read, rejected: expected.rejected });
  expect(imported).toBe(expected.imported - calls - chats);
  expect(unchanged).toBe(expected.unchanged + calls + chats);
  expect(calls + chats).toBeGreaterThan(0);
  expect(await expectWell(directory)).toEqual([]);
});

/** Of the account: "read 9,000 = imported 8,800 + ...". */
function toNumbers(account: string): number[] {
  const [first = ""] = account.split("\n");
  return [...first.matchAll(/[\d,]+/g)].map(([digits]) => Number(digits.replaceAll(",", "")));
}

test.skipIf(fault)(
  "reads and sign-ins are refused until there is room, and every read has its row",
  async () => {
    const disk = await mountDisk(64);
    const archive = await makeDemoArchive();
    const directory = join(disk.folder, "archive");
    await cp(archive.directory, directory, { recursive: true });
    const serving = await startServing(directory);
    const questions = toQuestions(serving.baseUrl, archive);
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
async function fillUp(disk: Disk, questions: ReturnType<typeof toQuestions>): Promise<Reply[]> {
  disk.fill(0);
  const answered: Reply[] = [];
  for (const question of [questions.recording, questions.metadata, questions.signIn])
    for (let reply = await question(); reply.status !== 503; reply = await question()) {
      expect(reply.status).toBe(200);
      if (question !== questions.signIn) answered.push(reply);
    }
  return answered;
}

function toQuestions(
  baseUrl: string,
  { apiKey: bearer, credentials: json, examples }: DemoArchive,
) {
  return {
    recording: () => ask(`${baseUrl}/recording/stream-by-call-id/${examples.call_id}`, { bearer }),
    metadata: () => ask(`${baseUrl}/metadata/by-call-id/${examples.call_id}`, { bearer }),
    signIn: () => ask(`${baseUrl}/Token`, { json }),
    ready: () => ask(`${baseUrl}/readyz`),
    alive: () => ask(`${baseUrl}/healthz`),
  };
}
