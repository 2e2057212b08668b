// What comes from a source or a caller moves no cursor of the operator's terminal, and begins no line of its own.
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runIn } from "./support/command.ts";

// Erases the screen; ends the line, and writes one that the program never wrote.
const EVIL = "\u001b[2J\nread 9";
// Imports take no call_id with an escape in it.
const CALL_ID = "1\nread 9";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-printable-"));
  const lines = [
    {
      kind: "call",
      call_id: CALL_ID,
      datetime: "2026-01-05T09:00:00Z",
      media: [{ file: "a.wav" }],
    },
    { kind: "call", media: [{ file: "a.wav", name: `${EVIL}.wav` }] },
    { kind: "call", datetime: EVIL },
    { kind: "user", id: 1, username: EVIL, status: 1, created_date: "2026-01-05T09:00:00Z" },
  ];
  await writeFile(
    join(folder, `${EVIL}.jsonl`),
    lines.map((line) => JSON.stringify(line)).join("\n"),
  );
  await writeFile(join(folder, "a.wav"), "sound\0");
});
afterAll(() => rm(folder, { recursive: true }));

const run = (command: string, ...args: readonly string[]) =>
  runIn(folder, ...command.split(" "), "--data", "archive", ...args);

test("an import escapes the names of its files, its rejected rows and its errors", async () => {
  const { stdout, stderr } = await run("import", `${EVIL}.jsonl`);
  expect(stdout.replace(/-\d{4}-\d\d-\d\dT\d{6}Z-\d+/, "-TIME")).toBe(
    "read 4 = imported 2 + replaced 0 + unchanged 0 + rejected 2\n" +
      "  \\u001b[2J\\u000aread 9.jsonl:2: media[0].name: has a control character\n" +
      '  \\u001b[2J\\u000aread 9.jsonl:3: datetime: "\\u001b[2J\\u000aread 9" is not an ISO 8601 date and time\n' +
      "Rejected rows: rejected-rows-TIME.jsonl\n",
  );
  expect(stderr).toMatch(/^\\u001b\[2J\\u000aread 9\.jsonl: the archive's own format [^\n]*\n$/);
  expect((await run("import", EVIL)).stderr).toBe(
    "call-media-server: \\u001b[2J\\u000aread 9 is not there\n",
  );
});

test("commands escape the names of users and of damaged recordings", async () => {
  expect((await run("user list")).stdout.split("\n")[1]).toMatch(/^1 {3}\\u001b\[2J read 9 /);
  await rm(join(folder, "archive", "media", await nameOfMedia()));
  const damage = "a.wav of call_id 1\\u000aread 9: ";
  expect((await run("verify")).stdout).toContain(`damaged: ${damage}`);
  expect((await run("backup", "--to", "backup")).stdout).toContain(`damaged: ${damage}`);
  expect((await run("export", "--out", "out")).stderr).toContain(`not exported: ${damage}`);
});

async function nameOfMedia(): Promise<string> {
  const names = await readdir(join(folder, "archive", "media"), { recursive: true });
  return names.find((name) => /[\da-f]{64}$/.test(name)) ?? "";
}
