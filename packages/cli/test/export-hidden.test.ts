// What masking hides is in no text of the report, and what it leaves is said there.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  type FakeCall,
  MARCH,
  readMetadata,
  readReport,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const CALL: FakeCall = {
  call_id: "M2-Santos",
  datetime: "2026-03-05T10:00:00Z",
  customer_last_name: "Sántos",
};
const MASKS = ["--redact", "customer_last_name"];

/** Everything that is handed over: not the plan, which a resumed run needs. */
async function readHandedOver(out: string): Promise<string> {
  const names = (await readdir(out)).filter((name) => /\.jsonl?$/.test(name));
  return (await Promise.all(names.map((name) => readFile(join(out, name), "utf8")))).join("\n");
}

test("an identifier of a list that repeats a masked value, found or not", async () => {
  const { out, runCommand, exportCalls } = await startExporting({
    calls: [CALL, { call_id: "M1", datetime: "2026-03-06T10:00:00Z" }],
  });
  const ids = join(dirname(out), "ids.txt");
  await writeFile(ids, "M1\nM2-Santos\nNOPE\nM7-SANTOS\n");
  expect(await exportCalls(...MARCH, "--ids", ids, ...MASKS)).toMatchObject({ code: 3 });
  expect(await readHandedOver(out)).not.toMatch(/s[aá]ntos/i);
  expect(await readReport(out)).toMatchObject({
    where: "[redacted]",
    ids: { asked: 4, missing: ["NOPE", "[redacted]"] },
    faults: [
      expect.stringContaining("2 of 4 calls were not found in these days: NOPE, [redacted]"),
    ],
  });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("a condition that repeats a masked value", async () => {
  const { out, exportCalls } = await startExporting({ calls: [CALL] });
  const where = ["--where", 'call_id ~ "santos"'];
  expect(await exportCalls(...MARCH, ...where, ...MASKS)).toMatchObject({ code: 0 });
  expect(await readReport(out)).toMatchObject({ where: "[redacted]", filter: {} });
  expect(await readHandedOver(out)).not.toMatch(/s[aá]ntos/i);
});

test("a condition that asks only whether there is a value", async () => {
  const { out, exportCalls } = await startExporting({ calls: [CALL] });
  const where = ["--where", "recordings == null && customer_last_name != null"];
  expect(await exportCalls(...MARCH, ...where, ...MASKS)).toMatchObject({ code: 0 });
  expect(await readHandedOver(out)).not.toMatch(/s[aá]ntos/i);
});

test("a value that another leg of the call has", async () => {
  const other = { call_id: "M2-Santos", datetime: "2026-03-05T10:05:00Z", notes: "Mr. Santos" };
  const { out, exportCalls } = await startExporting({ calls: [CALL, other] });
  expect(await exportCalls(...MARCH, ...MASKS)).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toContainEqual(
    expect.objectContaining({ call_id: "M2-[redacted]", notes: "Mr. [redacted]" }),
  );
});

test("the report names what masking leaves: short values, datetimes, sound", async () => {
  const { out, exportCalls } = await startExporting({
    calls: [
      {
        call_id: "1",
        datetime: "2026-03-05T10:00:00Z",
        customer_middle_name: "X",
        zip: "2026",
        notes: "Mr. X",
        recordings: [{ filename: "1.wav", bytes: toBytes(90) }],
      },
    ],
  });
  const redact = ["--redact", "customer_middle_name,zip", "--files", "recordings"];
  const { code, stdout } = await exportCalls(...MARCH, ...redact);
  expect(code).toBe(0);
  const left = [
    "notes of 1 record repeats a masked value: the value is too short to be masked",
    "datetime of 1 record repeats a masked value: it is never masked",
    "what is said in 1 recording is not masked",
  ];
  const { left: said } = await readReport(out);
  expect(said?.toSorted()).toEqual(left.toSorted());
  for (const sentence of left) expect(stdout).toContain(`left     ${sentence}`);
});
