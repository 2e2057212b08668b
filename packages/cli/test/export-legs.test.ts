// Which recordings are a record's own, where its call has several records and the export not all of them.
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import {
  type Exporting,
  type FakeCall,
  MARCH,
  readManifest,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const toLeg = (ref_id: string, datetime: string, seed: number): FakeCall => ({
  call_id: "transfer",
  ref_id,
  datetime,
  agent: ref_id,
  ani: "+493055512345",
  recordings: [{ filename: "recording.wav", bytes: toBytes(500, seed) }],
});

const LEGS = [
  toLeg("ana", "2026-03-05T10:00:00Z", 2),
  toLeg("mia", "2026-03-05T11:00:00Z", 3),
  toLeg("eva", "2026-03-05T11:30:00Z", 4),
];

const toNameless = (_url: string, answer: Response): Response => {
  answer.headers.delete("Content-Disposition");
  return answer;
};

/** Imitates a service that does not name the record of a recording. */
const toSilent = (_url: string, answer: Response): Response => {
  answer.headers.delete("Recording-Of");
  return answer;
};

/** The bytes of the recording that an export has for each reference. */
async function readRecordings({ out }: Exporting): Promise<Record<string, Uint8Array>> {
  const manifest = await readManifest(out);
  const found = manifest
    .filter(({ kind }) => kind === "recording")
    .map(async ({ ref_id, file }) => [
      ref_id,
      new Uint8Array(await readFile(join(out, String(file)))),
    ]);
  return Object.fromEntries(await Promise.all(found));
}

describe.each([
  ["a service that gives recordings no names", toNameless],
  ["a service that gives them all the same", (_url: string, answer: Response) => answer],
])("%s", (_, change) => {
  test.each([
    ["a filter", ["--agent", "mia"], { mia: toBytes(500, 3) }],
    ["a condition", ["--where", 'agent != "ana"'], { mia: toBytes(500, 3), eva: toBytes(500, 4) }],
    ["a filter, masked", ["--agent", "eva", "--redact", "ani"], { eva: toBytes(500, 4) }],
  ])("each leg that %s leaves gets its own recording", async (_what, args, recordings) => {
    const exporting = await startExporting({ calls: LEGS }, change);
    const wanted = [...MARCH, "--files", "recordings", ...args];
    expect(await exporting.exportCalls(...wanted)).toMatchObject({ code: 0 });
    expect(await readRecordings(exporting)).toEqual(recordings);
  });

  test("a call that was transferred after midnight", async () => {
    const calls = [
      toLeg("ana", "2026-03-05T23:50:00Z", 2),
      toLeg("mia", "2026-03-06T00:10:00Z", 3),
    ];
    const exporting = await startExporting({ calls }, change);
    const wanted = [...MARCH, "--files", "recordings", "--redact", "ani"];
    expect(await exporting.exportCalls(...wanted)).toMatchObject({ code: 0 });
    expect(await readRecordings(exporting)).toEqual({
      ana: toBytes(500, 2),
      mia: toBytes(500, 3),
    });
  });

  test("a leg that came into the archive after the others", async () => {
    const early = await startExporting({ calls: LEGS.slice(0, 2) }, change);
    const { out, variables } = early;
    expect(await early.exportCalls(...MARCH, "--files", "recordings")).toMatchObject({ code: 0 });
    const late = await startExporting({ calls: LEGS }, change);
    // The archive went on where it is.
    const plan = join(out, ".call-media", "plan.json");
    const [before, now] = [variables, late.variables].map((one) => one["CALL_MEDIA_BASE_URL"]);
    const text = await readFile(plan, "utf8");
    await writeFile(plan, text.replace(String(before), String(now)));
    const days = ["--overlap", "40", "--to", "2026-03-31"];
    expect(await late.runCommand("sync", out, ...days)).toMatchObject({ code: 0 });
    expect((await readRecordings(early))["eva"]).toEqual(toBytes(500, 4));
  });
});

/** The name of the recording that an export, or a hand-over of it, has for each reference. */
const readNames = async (out: string) =>
  Object.fromEntries(
    (await readManifest(out)).flatMap(({ kind, ref_id, file }) =>
      kind === "recording" ? [[ref_id, basename(String(file))]] : [],
    ),
  );

const NAMES = { ana: "transfer.wav", mia: "transfer~2.wav", eva: "transfer~3.wav" };

test("files of one name are numbered in the order of time, in a hand-over as well", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: LEGS });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  expect(await readNames(out)).toEqual(NAMES);
  const zip = `${out}.zip`;
  expect(await runCommand("export", ...MARCH, "--hand-over", zip)).toMatchObject({ code: 0 });
  const unpacked = unzipSync(await readFile(zip));
  const texts = strFromU8(unpacked["export/manifest.jsonl"] ?? new Uint8Array());
  const rows = texts
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>);
  const recordings = rows.filter(({ kind }) => kind === "recording");
  expect(recordings.map(({ ref_id, file }) => [ref_id, basename(String(file))])).toEqual(
    Object.entries(NAMES).toReversed(),
  );
});

test("an export that was begun in the order of the search is continued in it", async () => {
  let isDown = true;
  const { out, exportCalls } = await startExporting({ calls: LEGS }, (url, answer) =>
    isDown && url.includes("/recording/") ? new Response(null, { status: 404 }) : answer,
  );
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 3 });
  const path = join(out, ".call-media", "plan.json");
  const { names: _, ...plan } = JSON.parse(await readFile(path, "utf8")) as { names: string };
  await writeFile(path, JSON.stringify(plan));
  isDown = false;
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await readNames(out)).toEqual({
    eva: "transfer.wav",
    mia: "transfer~2.wav",
    ana: "transfer~3.wav",
  });
});

const withoutReference = (leg: FakeCall): FakeCall => ({ ...leg, ref_id: null });

test.each([
  ["--agent", "mia"],
  ["--redact", "ani"],
])(
  "each of several legs with one name and no reference gets its own recording, with %s %s",
  async (...args) => {
    const calls = LEGS.map((leg) => ({ ...leg, ref_id: "shared" }));
    for (const legs of [calls, calls.map(withoutReference)]) {
      const { exportCalls, out } = await startExporting({ calls: legs });
      expect(await exportCalls(...MARCH, "--files", "recordings", ...args)).toMatchObject({
        code: 0,
      });
      const files = (await readManifest(out)).filter(({ kind }) => kind === "recording");
      const bytes = files.map(({ file }) => readFile(join(out, String(file))));
      const seeds = args.includes("mia") ? [3] : [4, 3, 2];
      expect(await Promise.all(bytes)).toEqual(
        seeds.map((seed) => Buffer.from(toBytes(500, seed))),
      );
    }
  },
);

test.each([
  ["--agent", "mia"],
  ["--redact", "ani"],
])(
  "none gets another's where the service does not say whose it is, with %s %s",
  async (...args) => {
    const calls = LEGS.map(withoutReference);
    const { exportCalls, out } = await startExporting({ calls }, toSilent);
    const { code, stdout } = await exportCalls(...MARCH, "--files", "recordings", ...args);
    expect(code).toBe(3);
    expect(stdout).toContain("CLIENT_AMBIGUOUS_RECORDING: ");
    const statuses = (await readManifest(out)).flatMap(({ kind, status }) =>
      kind === "recording" ? status : [],
    );
    expect(new Set(statuses)).toEqual(new Set(["failed"]));
  },
);

test("a later leg does not get the file that an earlier one has from before", async () => {
  const calls = LEGS.slice(0, 2).map(withoutReference);
  const { out, exportCalls, variables } = await startExporting({ calls: calls.slice(0, 1) });
  expect(await exportCalls(...MARCH, "--files", "recordings")).toMatchObject({ code: 0 });
  const late = await startExporting({ calls }, toSilent);
  const plan = join(out, ".call-media", "plan.json");
  const [before, now] = [variables, late.variables].map((one) => one["CALL_MEDIA_BASE_URL"]);
  await writeFile(plan, (await readFile(plan, "utf8")).replace(String(before), String(now)));
  const days = ["--overlap", "40", "--to", "2026-03-31"];
  expect(await late.runCommand("sync", out, ...days)).toMatchObject({ code: 3 });
  const recordings = (await readManifest(out)).filter(({ kind }) => kind === "recording");
  expect(recordings.map(({ status }) => status).toSorted()).toEqual(["complete", "failed"]);
});

test("the recordings of one name in a record are files of their own", async () => {
  const recordings = [2, 3].map((seed) => ({ filename: "a.wav", bytes: toBytes(500, seed) }));
  const { out, exportCalls } = await startExporting({ calls: [{ ...LEGS[0], recordings }] });
  expect(await exportCalls(...MARCH, "--files", "recordings")).toMatchObject({ code: 0 });
  for (const [index, name] of ["transfer.wav", "transfer-2.wav"].entries()) {
    const content = await readFile(join(out, "recordings/2026-03-05", name));
    expect(new Uint8Array(content)).toEqual(recordings[index]?.bytes);
  }
});

test("a leg whose record changes meanwhile gets none of the others' recordings", async () => {
  const exporting = await startExporting({ calls: LEGS }, (url, answer) => {
    if (/\/metadata\/by-(?:call-id|reference)\//.test(url))
      return Response.json({ isError: false, errorMessage: null, data: [{ agent: "x" }, {}] });
    return answer;
  });
  const { code, stdout } = await exporting.exportCalls(...MARCH, "--agent", "mia");
  expect(code).toBe(3);
  expect(stdout).toContain(
    "failed   recording 1 of call transfer: its record has changed meanwhile: export it again",
  );
});

test("two recordings of a record may be equal, if the service tells them apart by part", async () => {
  const twice = { filename: "a.wav", bytes: toBytes(500) };
  const calls = [{ ...LEGS[0], recordings: [twice, { ...twice, filename: "b.wav" }] }];
  const exporting = await startExporting({ calls }, toNameless);
  expect(await exporting.exportCalls(...MARCH, "--files", "recordings")).toMatchObject({ code: 0 });
  const manifest = await readManifest(exporting.out);
  expect(manifest.filter(({ status }) => status === "complete")).toHaveLength(3);
});

test("a response without content counts as a missing recording", async () => {
  const exporting = await startExporting({ calls: LEGS.slice(0, 1) }, (url, answer) =>
    url.includes("/recording/") ? new Response(null, { status: 204 }) : answer,
  );
  const { code, stdout } = await exporting.exportCalls(...MARCH, "--files", "recordings");
  expect(code).toBe(3);
  expect(stdout).toContain("recording 1 of call transfer: the service gives nothing for it");
});

test("a service may leave out what is null", async () => {
  const { recordings = [] } = LEGS[0] ?? {};
  const calls = [{ ref_id: "R-1", datetime: "2026-03-05T10:00:00Z", recordings }];
  const whole = await startExporting({ calls });
  expect(await whole.exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const sparse = await startExporting({ calls }, async (url, answer) => {
    if (!url.includes("/metadata/")) return answer;
    const text = (await answer.text()).replaceAll(/"\w+":null,|,"\w+":null(?=\})/g, "");
    return new Response(text, answer);
  });
  expect(await sparse.exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const manifests = await Promise.all([whole, sparse].map(({ out }) => readManifest(out)));
  const [expected, manifest] = manifests.map((entries) =>
    entries.filter(({ kind }) => kind !== "metadata"),
  );
  expect(manifest).toEqual(expected);
});
