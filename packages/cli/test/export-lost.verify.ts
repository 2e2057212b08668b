// Journals that are gone, and searches that did not come to a good end: the days are searched for again, each record once.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type FakeCall,
  MARCH,
  readManifest,
  readMetadata,
  readReport,
  readTree,
  startExporting,
  toBytes,
} from "./support/exporting.ts";
import { serveGrowing } from "./support/growing.ts";
import { run } from "./support/program.ts";

// Too many for one search, and equal names on a day.
const CALLS: readonly FakeCall[] = Array.from({ length: 450 }, (_, index) => ({
  call_id: `call ${index % 31}`,
  ref_id: `ref ${index}`,
  datetime: `2026-03-${String((index % 31) + 1).padStart(2, "0")}T07:14:00Z`,
  recordings: index % 9 === 0 ? [{ filename: `${index}.wav`, bytes: toBytes(600 + index) }] : [],
}));

const listJournals = async (out: string) =>
  (await readdir(join(out, ".call-media/days"))).toSorted();

/** Those whose names match. */
async function loseJournals(out: string, which: RegExp): Promise<void> {
  for (const name of await listJournals(out))
    if (which.test(name)) await rm(join(out, ".call-media/days", name));
}

test.each<[string, RegExp]>([
  ["one of them", /^2026-03-2/],
  ["all", /./],
])("days whose journals are gone are listed again by --resume: %s", async (_, which) => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const [whole, journals] = [await readTree(out), await listJournals(out)];
  expect(journals.length).toBeGreaterThan(2);
  await loseJournals(out, which);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await readTree(out)).toEqual(whole);
  expect(await listJournals(out)).toEqual(journals);
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("days/ itself may be gone, and sync lists what it does not search for as well", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  await exportCalls(...MARCH);
  await rm(join(out, ".call-media/days"), { recursive: true });
  const sync = ["sync", out, "--to", "2026-04-02", "--overlap", "1"];
  expect(await runCommand(...sync)).toMatchObject({ code: 0 });
  const all = { announced: 450, came: 450, written: 450 };
  expect(await readReport(out)).toMatchObject({ verdict: "complete", records: all });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

/** An archive that changes between the runs. */
async function startChanging(calls: readonly FakeCall[]) {
  const growing = await serveGrowing(calls);
  const folder = await mkdtemp(join(tmpdir(), "call-media-lost-"));
  onTestFinished(async () => {
    await growing[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const out = join(folder, "out");
  return { ...growing, out, run: (...args: string[]) => run(args, growing.variables) };
}

const isRecording = ({ kind }: { readonly kind: string }) => kind === "recording";

const toCall = (ref_id: string, more: FakeCall = {}): FakeCall => ({
  call_id: "of one name",
  ref_id,
  datetime: "2026-03-30T07:14:00Z",
  recordings: [{ filename: `${ref_id}.wav`, bytes: Buffer.from(ref_id.repeat(200)) }],
  ...more,
});

test("records that a sync added since stay what they are, and their files", async () => {
  const first = [toCall("a"), toCall("b"), toCall("c")];
  const { out, replace, run: runCommand } = await startChanging(first);
  expect(await runCommand("export", ...MARCH, "--out", out)).toMatchObject({ code: 0 });
  // One has changed, one has gone, and one has come.
  replace([toCall("a", { disposition: "Sale" }), toCall("c"), toCall("d")]);
  const sync = () => runCommand("sync", out, "--to", "2026-03-31");
  expect(await sync()).toMatchObject({ code: 0 });
  await loseJournals(out, /00000/);
  expect(await runCommand("export", "--resume", "--out", out)).toMatchObject({ code: 0 });
  const refs = (await readMetadata(out)).map(
    (record) => [record["ref_id"], record["disposition"]] as const,
  );
  expect(new Map(refs)).toEqual(
    new Map<unknown, unknown>([
      ["a", "Sale"],
      ["c", null],
      ["d", null],
    ]),
  );
  const { verdict, records } = await readReport(out);
  expect({ verdict, records }).toMatchObject({
    verdict: "complete",
    records: { announced: 3, came: 3, written: 3, gone: 0 },
  });
  for (const { file, ref_id } of (await readManifest(out)).filter(isRecording))
    expect(await readFile(join(out, file ?? ""), "utf8")).toBe(ref_id?.repeat(200));
  expect(await sync()).toMatchObject({ code: 0 });
  expect((await readReport(out)).records).toMatchObject({ added: 0, announced: 3, written: 3 });
});

test("records that --where excluded are counted once, whatever days a sync searches", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS.slice(0, 62) });
  const none = ["--where", 'agent == "nobody"'];
  expect(await exportCalls(...MARCH, ...none)).toMatchObject({ code: 4 });
  for (const to of ["2026-04-02", "2026-04-05"])
    expect(await runCommand("sync", out, "--to", to)).toMatchObject({ code: 4 });
  const counts = { announced: 62, came: 62, excluded: 62, written: 0 };
  expect((await readReport(out)).records).toMatchObject(counts);
});

/** The service announces one record more than it has. */
async function announceMore(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  const body = (await answer.json()) as { recordCount?: number };
  const range = headers.get("Content-Range");
  headers.delete("Content-Length");
  if (range !== null) headers.set("Content-Range", range.replace(/\/\d+$/, "/4"));
  const more = body.recordCount === undefined ? body : { ...body, recordCount: 4 };
  return Response.json(more, { status, headers });
}

async function startDrifting() {
  let isDrifting = true;
  const calls = ["a", "b", "c"].map((ref_id) => toCall(ref_id, { recordings: [] }));
  const exporting = await startExporting({ calls }, async (url, answer) =>
    isDrifting && url.includes("/metadata/") ? await announceMore(answer) : answer,
  );
  const settle = () => (isDrifting = false);
  return { ...exporting, settle };
}

const DRIFTED =
  "the archive changed while it was read, or announces another number than it has, three times: 3 records came, 0 more that are wholly equal to one before, and 4 were announced; export --resume and sync search these days again";

test.each<[string, (out: string) => readonly string[]]>([
  ["--resume", (out) => ["export", "--resume", "--out", out]],
  ["sync", (out) => ["sync", out, "--to", "2026-04-30", "--overlap", "1"]],
])("days that changed while they were read are settled by %s", async (_, toCommand) => {
  const { out, exportCalls, runCommand, settle } = await startDrifting();
  const { code, stdout } = await exportCalls(...MARCH, "--files", "none");
  expect(code).toBe(3);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(DRIFTED);
  expect(await runCommand(...toCommand(out))).toMatchObject({ code: 3 });
  settle();
  expect(await runCommand(...toCommand(out))).toMatchObject({ code: 0 });
  expect(await readReport(out)).toMatchObject({
    verdict: "complete",
    faults: [],
    records: { announced: 3, came: 3, written: 3 },
  });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("a file that was lost comes again also where an archive never stops to change", async () => {
  const { out, exportCalls, runCommand } = await startExporting(
    { calls: ["a", "b", "c"].map((ref_id) => toCall(ref_id)) },
    async (url, answer) =>
      url.includes("/metadata/by-custom") ? await announceMore(answer) : answer,
  );
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 3 });
  await rm(join(out, "recordings/2026-03-30/of one name.wav"));
  expect(await exportCalls("--resume")).toMatchObject({ code: 3 });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});
