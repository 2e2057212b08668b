// Call detail records of Asterisk: no header, and columns that depend on how it was set up.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import type { CallStore } from "@call-media/store";
import { createArchive, writeLines } from "./support/archives.ts";
import { query, toRecord } from "./support/records.ts";
import { cellText, toDatetime, toLine, wholeSecond } from "./support/tables.ts";

const BASE =
  '"sales","1001","2002","internal","""Ann ""Lee"""" <1001>","PJSIP/1001-00000001","PJSIP/2002-00000002","Dial","PJSIP/2002,20","2026-08-21 09:00:06","2026-08-21 09:00:10","2026-08-21 09:01:10",64,60,"ANSWERED","DOCUMENTATION"';
const CALL = toRecord({
  datetime: "2026-08-21 09:00:06",
  ani: "1001",
  dnis: "2002",
  agent: "2002",
  campaign: "sales",
  skill: "internal",
  disposition: "ANSWERED",
  talk_time: 60,
  handle_time: 60,
  ivr_path: "Dial",
  media: "voice",
});

test.each<[tail: string, fields: object]>([
  ["", {}],
  [',"1787302806.12"', { call_id: "1787302806.12" }],
  [',"pbx-1787302806.12"', { call_id: "pbx-1787302806.12" }],
  [',"called back"', { custom_field_1: "called back" }],
  [',"1787302806.12","called back"', { call_id: "1787302806.12", custom_field_1: "called back" }],
  [',"","1787302806.10",3', { ref_id: "1787302806.10" }],
  [',"1787302806.12","","1787302806.10",3', { call_id: "1787302806.12", ref_id: "1787302806.10" }],
  [
    ',"1787302806.12","note","","1787302806.10",3',
    { call_id: "1787302806.12", ref_id: "1787302806.10", custom_field_1: "note" },
  ],
])("cdr_csv with the tail %j", async (tail, fields) => {
  const store = createArchive();
  const paths = [await writeLines("Master.csv", [BASE + tail])];
  expect(await importFiles({ store, paths })).toMatchObject({ read: 1, imported: 1 });
  expect(await findAll(store)).toEqual([{ ...CALL, ...fields }]);
});

test("cdr_custom as its sample has it; times of GMT are said to be", async () => {
  const store = createArchive("Europe/London");
  const line =
    '"""Ann"" <1001>","1001","2002","internal","PJSIP/1001-1","PJSIP/2002-2","Dial","","2026-08-21 09:00:06","2026-08-21 09:00:10","2026-08-21 09:01:10","64","60","ANSWERED","DOCUMENTATION","sales","1787302806.12","note","3"';
  await importFiles({ store, paths: [await writeLines("Master.csv", [line])], timeZone: "UTC" });
  expect(await findAll(store)).toEqual([
    {
      ...CALL,
      datetime: "2026-08-21 09:00:06+00:00",
      call_id: "1787302806.12",
      custom_field_1: "note",
    },
  ]);
});

test("a layout names the columns that do not show themselves", async () => {
  const store = createArchive();
  const paths = [await writeLines("own.csv", ["2026-08-21 09:00:06,1001,2002,60,x"])];
  await expect(importFiles({ store, paths, format: "asterisk" })).rejects.toThrow(
    "the 5 columns of its first line do not have the form of Asterisk call detail records: say by a layout what they are",
  );
  await expect(
    importFiles({ store, paths, format: "asterisk", layout: "src,dst" }),
  ).rejects.toThrow(
    'the layout "src,dst" must be csv, custom or the names of the columns in their order, of which start is one',
  );
  const layout = "start, src, dst, billsec, other";
  expect(await importFiles({ store, paths, format: "asterisk", layout })).toMatchObject({
    imported: 1,
  });
  expect(await findAll(store)).toMatchObject([{ ani: "1001", dnis: "2002", talk_time: 60 }]);
});

test("a caller that is a bare number or missing does not hide a layout that is given", async () => {
  const store = createArchive();
  const odd = BASE.replace('"ANSWERED"', '"HANGUP"');
  const paths = [await writeLines("Master.csv", [odd])];
  await expect(importFiles({ store, paths })).rejects.toThrow("name its format");
  expect(await importFiles({ store, paths, format: "asterisk", layout: "csv" })).toMatchObject({
    imported: 1,
  });
});

test("no other format takes a layout", async () => {
  const store = createArchive();
  const paths = [await writeLines("a.jsonl", [{ kind: "call" }])];
  await expect(importFiles({ store, paths, layout: "csv" })).rejects.toThrow(
    "jsonl takes no layout",
  );
});

const record = fc.record({
  sequence: fc.nat(99_999),
  atMs: wholeSecond,
  src: cellText,
  dst: cellText,
  context: cellText,
  name: cellText.filter((text) => !text.includes('"')),
  account: fc.option(cellText, { nil: undefined }),
  disposition: fc.constantFrom("ANSWERED", "NO ANSWER", "BUSY", "FAILED"),
  billsec: fc.nat(86_400),
});

test("whatever is written as Asterisk writes it is what the archive has", async () => {
  const store = createArchive();
  const records = fc.uniqueArray(record, {
    selector: ({ sequence }) => sequence,
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(records, fc.boolean(), async (written, isCustom) => {
      const lines = written.map((one) => {
        const caller = `"${one.name}" <${one.src}>`;
        const at = toDatetime(one.atMs, " ");
        const account = one.account ?? "";
        const middle = [
          "chan",
          "",
          "Dial",
          "",
          at,
          "",
          at,
          String(one.billsec),
          String(one.billsec),
          one.disposition,
          "3",
        ];
        const id = `1787302806.${one.sequence}`;
        return isCustom
          ? toLine([caller, one.src, one.dst, one.context, ...middle, account, id, "", "1"])
          : toLine([account, one.src, one.dst, one.context, caller, ...middle, id]);
      });
      const report = await importFiles({ store, paths: [await writeLines("Master.csv", lines)] });
      expect(report).toMatchObject({ read: written.length, rejected: 0 });
      for (const one of written) {
        expect(
          await store.calls.byCallId(`1787302806.${one.sequence}`, "everything"),
        ).toContainEqual(
          toRecord({
            call_id: `1787302806.${one.sequence}`,
            datetime: toDatetime(one.atMs, " "),
            ani: one.src,
            dnis: one.dst,
            skill: one.context,
            campaign: one.account ?? null,
            disposition: one.disposition,
            talk_time: one.billsec,
            handle_time: one.billsec,
            ivr_path: "Dial",
            media: "voice",
          }),
        );
      }
    }),
    { numRuns: 25 },
  );
});

async function findAll(store: CallStore) {
  const page = await store.calls.search(query({}));
  return page.records;
}
