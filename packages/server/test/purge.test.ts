// Purging an archive that is served, as an operator does it: what a reader sees, what the log tells, what is asked first.
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/command.ts";
import { openDownload } from "./support/download.ts";
import { startServing } from "./support/program.ts";
import {
  addMedia,
  ALLOWED_ALL,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

// More than all buffers of a connection hold, so that the service has to wait for its client.
const LONG_BYTES = 40_000_000;

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
  const datetime = "2026-05-01T10:00:00Z";
  const long = await addMedia(service.store, "long.wav", Buffer.alloc(LONG_BYTES, 1));
  await service.add(toCall({ call_id: "long", datetime }, [long]));
  for (const callId of ["old", "older"])
    await service.add(toCall({ call_id: callId, datetime: "2025-05-01T10:00:00Z" }));
});
afterAll(() => service[Symbol.asyncDispose]());

const purge = (...args: string[]) => run("purge", "--data", service.directory, ...args);

const NOT_REACHED =
  "Backups made before still have it: make a new one in an empty folder, and remove the old ones.\n";

test("without a terminal and without --yes nothing is taken; a dry run gives the account of the purge", async () => {
  const account = "2 records, 0 chat messages, 0 files of recordings (0 B).\n";
  expect((await purge("--before", "2026-13-01")).stderr).toContain('before: "2026-13-01" is not a');
  expect(await purge("--before", "2026-01-01")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("add --yes"),
  });
  expect(await purge("--before", "2026-01-01", "--dry-run")).toEqual({
    code: 0,
    stdout: `Dry run, nothing was taken: ${account}`,
    stderr: "",
  });
  expect(await service.store.calls.byCallId("old", "everything")).toHaveLength(1);
  expect(await purge("--before", "2026-01-01", "--yes")).toEqual({
    code: 0,
    stdout: `Taken out: ${account}${NOT_REACHED}`,
    stderr: "",
  });
  expect(await service.store.calls.byCallId("old", "everything")).toEqual([]);
});

test("a download under way ends whole, and what is asked for afterwards is not there", async () => {
  const serving = await startServing(service.directory);
  const path = "/recording/stream-by-call-id/long";
  const download = await openDownload(serving, path, key);

  expect(await purge("--call-id", "long", "--yes")).toMatchObject({
    code: 0,
    stdout: `Taken out: 1 record, 0 chat messages, 1 file of recordings (40.0 MB).\n${NOT_REACHED}`,
  });

  const headers = { Authorization: `Bearer ${key}` };
  expect((await fetch(`${serving.baseUrl}${path}`, { headers })).status).toBe(404);
  const records = await fetch(`${serving.baseUrl}/metadata/by-call-id/long`, { headers });
  expect(await records.json()).toMatchObject({ isError: false, data: [] });
  expect(await download.readRest()).toEqual({ isWhole: true });
  expect(await serving.stop()).toBe(0);
  for (const command of ["doctor", "verify"])
    expect(await run(command, "--data", service.directory)).toMatchObject({ code: 0 });
});

test("the audit shows who purged what, in every form, and the chain holds", async () => {
  const audit = (...args: string[]) => run("audit", "--data", service.directory, ...args);
  const { stdout: table } = await audit("--call-id", "long");
  const lines = table.split("\n").filter((line) => line.includes(" purge "));
  expect(lines).toEqual([
    expect.stringMatching(/call_id=long begun$/),
    expect.stringMatching(
      /call_id=long found: 1 record, 0 chat messages, 1 file of recordings \(40\.0 MB\)$/,
    ),
    expect.stringMatching(/call_id=long done: calls 1, chats 0, files 1, retained 0$/),
  ]);
  const { stdout: csv } = await audit("--format", "csv");
  expect(csv).toMatch(/,purge,"\{""before"":""2026-01-01""\}",.*,2,0,0,/);
  const { stdout: json } = await audit("--call-id", "long", "--format", "jsonl");
  const rows = json.split("\n").filter(Boolean);
  expect(rows.map((line): unknown => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ operation: "purge", operator: expect.stringMatching(/./) }),
  );
  expect(await run("audit", "verify", "--data", service.directory)).toMatchObject({ code: 0 });
});

const NOTHING = "0 records, 0 chat messages, 0 files of recordings (0 B).\n";

test.each(["--call-id", "--ref-id"])(
  "%s of what nothing has, and nothing had, ends with 3; of what is gone already with 0",
  async (option) => {
    const id = `${option} gone`;
    await service.add(toCall({ call_id: id, ref_id: id }));
    const what = `${option.slice(2).replace("-", "_")} ${id}`;
    const known = await purge(option, id, "--yes");
    expect([known.code, known.stdout]).toEqual([0, expect.stringMatching(/^Taken out: 1 record,/)]);
    expect(await purge(option, id, "--yes")).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(
          `^Taken out: .*\\nWhat had the ${what} was taken out on \\d{4}-.*Z by purge ${option} ${id}\\.\\n$`,
        ),
      ),
      stderr: "",
    });

    const unknown = {
      code: 3,
      stderr: `call-media-server: no call and no chat message in this archive has exactly the ${what.toUpperCase().replace(/^\S+/, (name) => name.toLowerCase())}, and no purge in its access log was for it\n`,
    };
    expect(await purge(option, id.toUpperCase(), "--dry-run")).toEqual({
      ...unknown,
      stdout: `Dry run, nothing was taken: ${NOTHING}`,
    });
    expect(await purge(option, id.toUpperCase(), "--yes")).toEqual({
      ...unknown,
      stdout: `Taken out: ${NOTHING}`,
    });
  },
);

test("--undated deletes calls without a datetime, and succeeds without any", async () => {
  await service.add(toCall({ agent: "ann" }));

  expect(await purge("--undated", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Taken out: 1 record,/),
  });
  expect(await purge("--undated", "--yes")).toEqual({
    code: 0,
    stdout: `Taken out: ${NOTHING}`,
    stderr: "",
  });
});

test("an impossible purge is rejected in one line", async () => {
  const faults: readonly (readonly [args: readonly string[], message: string])[] = [
    [[], "give one of --before with a day, --undated, --call-id, --call-ids"],
    [
      ["--before", "2026-01-01", "--call-id", "A"],
      "give one of --before with a day, --undated, --call-id, --call-ids",
    ],
    [
      ["--ref-id", "R", "--call-id", "A"],
      "give one of --before with a day, --undated, --call-id, --call-ids",
    ],
    [
      ["--undated", "--before", "2026-01-01"],
      "give one of --before with a day, --undated, --call-id, --call-ids",
    ],
    [["--call-id", ""], "--call-id must not be empty"],
    [["--ref-id", ""], "--ref-id must not be empty"],
    [["--call-id", "A", "--case", " "], "--case must not be empty"],
    [["--before", "soon"], 'before: "soon" is not a calendar day of the form YYYY-MM-DD'],
  ];
  await Promise.all(
    faults.map(async ([args, message]) => {
      const { code, stderr } = await purge(...args, "--yes");
      expect(code).toBe(1);
      expect(stderr).toMatch(/^call-media-server: [^\n]+\n$/);
      expect(stderr).toContain(message);
    }),
  );
});
