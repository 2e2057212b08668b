// Keeping an archive, as an operator does it: verify, backup, restore and doctor as processes, beside a running service.
import { toSize } from "@call-media/terminal";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProgress } from "../src/command-line/progress.ts";
import { run } from "./support/command.ts";
import { startServing } from "./support/program.ts";
import {
  addMedia,
  ALLOWED_ALL,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

let service: TestService;
let key: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-keeping-"));
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
  for (const callId of ["one", "two"])
    await service.add(
      toCall({ call_id: callId, datetime: "2026-05-01T10:00:00Z" }, [
        await addMedia(service.store, `${callId}.wav`, Buffer.from(`sound\0of ${callId}`)),
      ]),
    );
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function fileOf(callId: string, directory: string): Promise<string> {
  const [recording] = await service.store.calls.recordings({ callId }, "everything");
  const sha256 = recording?.media.sha256 ?? "";
  return join(directory, "media", sha256.slice(0, 2), sha256);
}

const toUnread = (directory: string) =>
  `Recordings were hashed as they were copied, and not read back: "verify --data ${directory}" reads them where they are now.\n`;

const WELL = { code: 0, stderr: "" };

const UNCOMPARED = 'Records: not compared with what was imported; "doctor" compares them.\n';

test("a backup of an archive that is served is restored elsewhere and served there", async () => {
  const [backup, restored] = [join(folder, "backup"), join(folder, "restored")];
  await using serving = await serve(service.directory);
  expect(await run("backup", "--data", service.directory, "--to", backup)).toEqual({
    ...WELL,
    stdout: `2 calls in ${backup}, with 2 of 2 files of recordings (24 B): 2 copied, 0 were there.\n${toUnread(backup)}`,
  });
  expect(await serving.download("one")).toBe("sound\0of one");
  expect(await run("backup", "--data", service.directory, "--to", backup)).toMatchObject({
    ...WELL,
    stdout: expect.stringContaining("0 copied, 2 were there"),
  });
  const restoring = await run("restore", "--from", backup, "--data", restored);
  expect(restoring).toMatchObject(WELL);
  expect(restoring.stdout).toMatch(
    /were there\.\nRecordings were hashed .*\nThe backup is of (\S+Z)\. The ledger has no purge since: .* with --ledger\.\n/,
  );
  expect(await run("verify", "--data", restored)).toEqual({
    ...WELL,
    stdout: `2 files, 24 B: all are what was imported.\n${UNCOMPARED}`,
  });
  expect(await run("doctor", "--data", restored)).toEqual({
    ...WELL,
    stdout: expect.stringMatching(
      /^Nothing is wrong\.\nNot proved: .*audit verify --hash\. Nor what was damaged before .*\nNot read: .* "verify" reads them\.\n$/,
    ),
  });
  await using again = await serve(restored);
  expect(await again.download("two")).toBe("sound\0of two");
});

test("backups of several runs stay for their days, without the sound that was purged since", async () => {
  await using own = await startTestService();
  for (const callId of ["a", "b"])
    await own.add(
      toCall({ call_id: callId }, [
        await addMedia(own.store, `${callId}.wav`, Buffer.from(`\0${callId}`)),
      ]),
    );
  const [to, data] = [join(folder, "nightly"), ["--data", own.directory]];
  const backUp = () => run("backup", ...data, "--to", to, "--keep-days", "35");
  expect(await backUp()).toMatchObject({ ...WELL, stdout: expect.not.stringMatching(/Dropped/) });
  const first = (await readdir(to)).find((name) => name.endsWith("Z")) ?? "";
  expect(await run("purge", ...data, "--call-id", "a", "--yes")).toMatchObject({ code: 0 });
  const manifest = join(to, first, "backup.json");
  const text = await readFile(manifest, "utf8");
  expect(await backUp()).toMatchObject({
    ...WELL,
    stdout: expect.stringContaining(`Removed 1 file of purged recordings (2 B) from ${to}.\n`),
  });
  const restored = join(folder, "nightly-restored");
  expect(await run("restore", "--from", join(to, first), "--data", restored)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("removed again: 1 record,"),
  });
  await writeFile(manifest, text.replace(/("createdAt": ")\d+/, "$12001"));
  expect(await backUp()).toMatchObject({
    ...WELL,
    stdout: expect.stringContaining(`Dropped 1 backup: ${first}.\n`),
  });
  expect(await run("verify", "--data", to)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 file, 2 B"),
  });
  expect(await run("backup", ...data, "--to", to, "--keep-days", "0")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--keep-days"),
  });
});

test("messages about one file, call or row use the singular", async () => {
  await using single = await startTestService();
  await single.add(
    toCall({ call_id: "a" }, [await addMedia(single.store, "a.wav", Buffer.from("\0"))]),
  );
  const { key: ofUser } = await single.addUser(ALLOWED_ALL);
  await (await single.get("/recording/stream-by-call-id/a", ofUser)).text();
  const told = async (...args: string[]) => (await run(...args)).stdout;
  const data = ["--data", single.directory];
  const target = (name: string) => join(folder, name);

  expect(await told("backup", ...data, "--to", target("single"))).toMatch(
    /^1 call in .* 1 of 1 file of/,
  );
  expect(await told("verify", ...data)).toBe(
    `1 file, 1 B: it is what was imported.\n${UNCOMPARED}`,
  );
  expect(await told("reindex", ...data)).toBe("The search index is new: 1 call.\n");
  expect(await told("audit", "verify", ...data)).toMatch(/^6 rows, none/);
  expect(await told("export", ...data, "--out", target("out"))).toMatch(
    /^1 call, 0 chat messages, 1 user, 0 flags and 1 file of recordings/,
  );
});

test("a page in the place of a recording is named by verify and by the doctor", async () => {
  await using single = await startTestService();
  const page = await addMedia(single.store, "a.wav", Buffer.from("<html>401</html>"));
  await single.add(toCall({ call_id: "a" }, [page]));
  expect(await run("verify", "--data", single.directory)).toMatchObject({
    code: 1,
    stdout: `not audio: a.wav of call_id a: an HTML page\n1 file, 16 B: it is what was imported, 1 not audio.\n${UNCOMPARED}`,
  });
  expect(await run("doctor", "--data", single.directory)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^warning: recordings are not audio: 1 file\n.* HTML page\)/),
  });
});

async function serve(directory: string) {
  const program = await startServing(directory);
  const headers = { Authorization: `Bearer ${key}` };
  return {
    download: async (callId: string) =>
      (await fetch(`${program.baseUrl}/recording/stream-by-call-id/${callId}`, { headers })).text(),
    [Symbol.asyncDispose]: async () => void (await program.stop()),
  };
}

describe("a damaged recording", () => {
  let damaged: string;
  let file: string;
  beforeAll(async () => {
    const backup = join(folder, "good");
    damaged = join(folder, "damaged");
    await run("backup", "--data", service.directory, "--to", backup);
    await run("restore", "--from", backup, "--data", damaged);
    file = await fileOf("one", damaged);
    await writeFile(file, "SOUND OF ONE");
    await writeFile(join(damaged, "media", ".cut.part"), "x");
    await utimes(join(damaged, "media", ".cut.part"), 1, 1);
  });

  test("in a backup's database is named by verify, though all recordings are right", async () => {
    const backup = join(folder, "changed");
    await run("backup", "--data", service.directory, "--to", backup);
    expect(await run("verify", "--data", backup)).toMatchObject(WELL);
    const database = await readFile(join(backup, "archive.db"));
    // In the text of a header that nothing but a digest looks at.
    database[70] = (database[70] ?? 0) ^ 1;
    await writeFile(join(backup, "archive.db"), database);
    expect(await run("verify", "--data", backup)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/archive\.db.*make the backup again/s),
    });
  });

  test("is named by verify with its call, and what was left behind is removed when asked", async () => {
    const ofOne = /^damaged: one\.wav of call_id one: .* has another content than imported$/m;
    const first = await run("verify", "--data", damaged);
    expect(first).toMatchObject({ code: 1, stdout: expect.stringMatching(ofOne) });
    expect(first.stdout).toContain("never finished: media/.cut.part\n2 files, 24 B: 1 damaged.\n");
    const second = await run("verify", "--data", damaged, "--remove-leftovers");
    expect(second.stdout).toContain("removed: media/.cut.part\n");
    expect((await run("verify", "--data", damaged)).stdout).not.toContain(".cut.part");
  });

  test("is named by a backup, which has the rest and ends with exit code 1", async () => {
    const backup = join(folder, "partial");
    const { code, stdout } = await run("backup", "--data", damaged, "--to", backup);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^damaged: one\.wav of call_id one: /);
    expect(stdout).toContain("with 1 of 2 files of recordings (24 B): 1 copied, 0 were there.");
    expect(await readFile(await fileOf("two", backup), "utf8")).toBe("sound\0of two");
  });

  test("is reported by the doctor as text or JSON, with exit code 1 for an error", async () => {
    await rm(await fileOf("two", damaged));
    const finding = {
      level: "error",
      what: "recordings are missing: 1 file",
      where: await fileOf("two", damaged),
    };
    const text = await run("doctor", "--data", damaged);
    expect(text).toMatchObject({ code: 1, stderr: "" });
    expect(text.stdout).toContain(
      `error: ${finding.what}\n  where: ${finding.where}\n  do: put the file back from a backup`,
    );
    const json = await run("doctor", "--data", damaged, "--json");
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toContainEqual(expect.objectContaining(finding));
  });
});

test.each<[args: readonly string[], message: string]>([
  [["backup", "--data", "nowhere", "--to", "x"], "there is no archive in"],
  [["restore", "--from", "nowhere", "--data", "x"], "there is no finished backup in"],
  [["verify", "--data", "nowhere"], "there is no archive in"],
])("%j is refused in one line", async ([command = "", ...args], message) => {
  const paths = args.map((arg) => (arg.startsWith("--") ? arg : join(folder, arg)));
  const { code, stderr } = await run(command, ...paths);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^call-media-server: [^\n]+\n$/);
  expect(stderr).toContain(message);
});

describe("progress", () => {
  const show = (isTTY: boolean, toTimeMs: (done: number) => number): string => {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 });
    let timeMs = 0;
    using progress = createProgress(stream, () => timeMs);
    for (let bytesDone = 0; bytesDone <= 2_000; bytesDone += 500) {
      timeMs = toTimeMs(bytesDone);
      progress.update({ step: "recordings", bytesDone, bytesTotal: 2_000 });
    }
    return String(stream.read() ?? "");
  };

  test("is a bar on a terminal", () => {
    expect(show(true, (bytesDone) => bytesDone)).toMatch(
      /recordings \[=+ +\] 25% of 2\.0 kB, 0:02 left/,
    );
  });

  test("changes no setting of the terminal, which nothing would set right after Ctrl-C", () => {
    expect(show(true, () => 0)).not.toContain("\u001B[?");
  });

  test("shows no remaining time before it can be estimated", () => {
    expect(show(true, () => 0)).toMatch(/ 0% of 2\.0 kB(?!,)/);
  });

  test("is a line every ten seconds elsewhere, none for what ends sooner", () => {
    expect(show(false, (bytesDone) => bytesDone * 10)).toBe(
      "recordings: 50% of 2.0 kB\nrecordings: 100% of 2.0 kB\n",
    );
    expect(show(false, (bytesDone) => bytesDone)).toBe("");
  });

  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 kB"],
    [1_250_000_000, "1.3 GB"],
    [5e15, "5000.0 TB"],
  ])("says %i as %s", (bytes, size) => {
    expect(toSize(bytes)).toBe(size);
  });
});
