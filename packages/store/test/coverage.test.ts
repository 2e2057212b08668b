// Which legs have whole recordings with sound in them: columns, groups and what is not counted.
import { toWave } from "@call-media/test-setup/sounds";
import { expect, test } from "vitest";
import { type CoverageGap, type CoverageOptions, measureCoverage } from "../src/index.ts";
import { openMaintenance } from "../src/open.ts";
import { call, fill } from "../src/suite/records.ts";
import { createArchive } from "./support/archives.ts";

const WAVE = toWave({ seconds: 60 });
const HALF = toWave({ seconds: 30 });
const SILENT = Buffer.concat([WAVE.subarray(0, 44), Buffer.alloc(WAVE.length - 44)]);
const DAY = "2026-03-02T10:00:00";

interface Made {
  readonly talk_time: number | null;
  readonly contents?: readonly Uint8Array[];
  readonly skill?: string | null;
  readonly datetime?: string;
  /** A name without a file. */
  readonly recordings?: string;
}

async function createCovered(calls: Readonly<Record<string, Made>>) {
  const archive = await createArchive();
  for (const [call_id, { contents = [], recordings: names, ...fields }] of Object.entries(calls)) {
    const files = contents.map(async (content, at) => {
      const filename = `${call_id}-${at}.wav`;
      return { filename, media: await archive.media.put({ name: filename, content }) };
    });
    const record = { call_id, datetime: DAY, ...fields, ...(names && { recordings: names }) };
    await fill(archive, [call(record, { recordings: await Promise.all(files) })]);
  }
  const maintenance = await openMaintenance({ records: `sqlite:${archive.directory}` });
  const gaps: CoverageGap[] = [];
  const measure = async (options: Partial<CoverageOptions> = {}) =>
    await measureCoverage(maintenance, {
      by: ["day"],
      required: [],
      minTalk: 1,
      tolerance: 0.1,
      isStrict: false,
      onGap: (gap) => gaps.push(gap),
      ...options,
    });
  return { measure, gaps };
}

const CALLS: Readonly<Record<string, Made>> = {
  good: { talk_time: 60, contents: [WAVE], skill: "Billing" },
  rounded: { talk_time: 66, contents: [WAVE], skill: "billing " },
  parts: { talk_time: 60, contents: [HALF, toWave({ seconds: 29 })], skill: "sales" },
  none: { talk_time: 60, skill: "sales" },
  named: { talk_time: 60, recordings: "only-a-name.wav", skill: null },
  cut: { talk_time: 60, contents: [WAVE.subarray(0, WAVE.length / 2)], skill: "sales" },
  page: { talk_time: 60, contents: [Buffer.from("<html>401</html>")], skill: "sales" },
  silent: { talk_time: 60, contents: [WAVE, SILENT], skill: "sales" },
  short: { talk_time: 60, contents: [HALF], skill: "sales" },
  brief: { talk_time: 3, contents: [HALF], skill: "sales" },
  zero: { talk_time: 0, contents: [HALF] },
  unknown: { talk_time: null },
};

test("each leg is in one column, and the sums are those of the rows", async () => {
  const { measure, gaps } = await createCovered(CALLS);
  const { rows, total, ...others } = await measure({ minTalk: 5 });
  const counts = { legs: 9, recorded: 3, none: 2, cut: 2, silent: 1, short: 1 };
  expect(rows).toEqual([{ values: ["2026-03-02"], ...counts }]);
  expect(total).toEqual(counts);
  expect(others).toEqual({
    timeZone: "UTC",
    untimed: 2,
    tooShort: 1,
    unheard: 0,
    damaged: [],
  });
  const found = gaps.map(({ record, what, seconds }) => [record.call_id ?? "", what, seconds]);
  const byId = ([one]: unknown[], [other]: unknown[]) => (String(one) < String(other) ? -1 : 1);
  expect(found.toSorted(byId)).toEqual([
    ["cut", "cut", 29.999],
    ["named", "none", undefined],
    ["none", "none", undefined],
    ["page", "cut", undefined],
    ["short", "short", 30],
    ["silent", "silent", 120],
  ]);
});

test("by several keys, in the order of their values; a required value is compared as in a search", async () => {
  const { measure } = await createCovered({
    ...CALLS,
    later: { talk_time: 60, contents: [WAVE], skill: "sales", datetime: "2026-03-03T10:00:00" },
  });
  const { rows, total } = await measure({ by: ["day", "skill"] });
  expect(rows.map(({ values, legs }) => [...values, legs])).toEqual([
    ["2026-03-02", null, 1],
    ["2026-03-02", "Billing", 1],
    ["2026-03-02", "billing ", 1],
    ["2026-03-02", "sales", 7],
    ["2026-03-03", "sales", 1],
  ]);
  expect(total.legs).toBe(11);
  const billing = await measure({ required: [["skill", "BILLING"]] });
  expect(billing.total).toMatchObject({ legs: 2, recorded: 2 });
  const day = await measure({ fromDay: "2026-03-03", toDay: "2026-03-03" });
  expect(day.total).toMatchObject({ legs: 1, recorded: 1 });
});

test("the tolerance is of talk time; hints count where they are asked for", async () => {
  const { measure } = await createCovered({
    short: { talk_time: 100, contents: [WAVE] },
    hinted: { talk_time: 60, contents: [Buffer.concat([WAVE, Buffer.alloc(40_000, 7)])] },
  });
  expect((await measure()).total).toMatchObject({ legs: 2, recorded: 1, short: 1 });
  expect((await measure({ tolerance: 0.38 })).total).toMatchObject({ recorded: 2 });
  const strict = await measure({ isStrict: true });
  expect(strict.total).toMatchObject({ recorded: 0, cut: 1, silent: 1 });
});
