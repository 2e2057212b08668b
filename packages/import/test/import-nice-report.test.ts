// Data downloads of NICE CXone: what a report writes is what the archive has.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";
import { cellText, toClock, toDatetime, toLines, wholeSecond } from "./support/tables.ts";

const HEADER =
  "Contact_ID,Master_Contact_ID,Contact_Code,Media_Name,Contact_Name,ANI,Skill_No,DNIS,Skill_Name,Campaign_No,Campaign_Name,Agent_No,Agent_Name,Team_No,Team_Name,Disposition_Code,SLA,Start_Date,Start_Time,PreQueue,InQueue,Agent_Time,Abandon,Abandon_Time,ACW_Seconds";

test("a contact becomes a call, found by its master identifier too", async () => {
  const store = createArchive("America/New_York");
  const path = await writeLines("report.csv", [
    HEADER,
    '501,500,9,Call,Care line,+14155550101,4,+18005550100,Invoices,7,Care,187,"Lee, Ann",12,Billing,3,1,8/21/2026,09:00:06,0,5,00:02:03,0,0,30',
  ]);
  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 1, imported: 1 });
  expect(await store.calls.byReference("500", "everything")).toEqual([
    toRecord({
      call_id: "501",
      ref_id: "500",
      datetime: "2026-08-21T09:00:06",
      ani: "+14155550101",
      dnis: "+18005550100",
      media: "Call",
      agent: "187",
      agent_name: "Lee, Ann",
      agent_group: "Billing",
      agent_group_id: "12",
      campaign: "Care",
      campaign_id: "7",
      skill: "Invoices",
      skill_id: "4",
      disposition_id: "3",
      talk_time: 123,
      handle_time: 153,
    }),
  ]);
});

test.each([
  [
    "Start_Date",
    "21/08/2026",
    'datetime: "21/08/2026 09:00:06" is not a date and time of the form',
  ],
  ["Agent_Time", "long", 'talk_time: "long" is not a duration'],
  ["ACW_Time", "long", 'handle_time: "long" is not a duration'],
])("%s %j rejects its row", async (column, text, reason) => {
  const store = createArchive();
  const good = {
    Contact_ID: "1",
    Master_Contact_ID: "1",
    Start_Date: "08/21/2026",
    Start_Time: "09:00:06",
    Agent_Time: "60",
    ACW_Time: "00:00:05",
  };
  const paths = [await writeLines("report.csv", toLines([good, { ...good, [column]: text }]))];
  const report = await importFiles({ store, paths });
  expect(report).toMatchObject({
    imported: 1,
    firstRejections: [{ line: 3, reason: expect.stringContaining(reason) }],
  });
});

test("a report that its API wrapped in JSON is read as the report", async () => {
  const store = createArchive();
  const row = {
    Contact_ID: "1",
    Master_Contact_ID: "2",
    Start_Date: "08/21/2026",
    Start_Time: "09:00:06",
    Agent_Name: "x".repeat(90_000),
  };
  const lines = toLines([row, { ...row, Contact_ID: "3", Start_Date: "never" }]);
  const file = Buffer.from(lines.join("\r\n")).toString("base64");
  const paths = [
    await writeLines("download.json", [{ files: { fileName: "Contacts.csv", file } }]),
  ];
  const report = await importFiles({ store, paths });
  expect(report).toMatchObject({ read: 2, imported: 1, firstRejections: [{ line: 3 }] });
  expect(await store.calls.byReference("2", "everything")).toMatchObject([
    { agent_name: row.Agent_Name },
  ]);
});

test.each(['{"files":{"fileName":"a.csv","file":"', '{"files":{"file":"","fileName":'])(
  "a download that is cut off (%s) is refused",
  async (text) => {
    const store = createArchive();
    const paths = [await writeLines("download.json", [text])];
    await expect(importFiles({ store, paths, format: "nice-report" })).rejects.toThrow(
      "is not a complete data download",
    );
  },
);

const contact = fc.record({
  call_id: fc.nat().map(String),
  // Identifiers may be neither "." nor have an invisible character.
  ref_id: fc.stringMatching(/^[\w-]{1,12}$/),
  agent: cellText,
  agent_name: cellText,
  skill: cellText,
  campaign: cellText,
  ani: cellText,
  atMs: wholeSecond,
  talk: fc.nat(86_400),
  work: fc.option(fc.nat(3_600), { nil: undefined }),
});

test("whatever is written as CXone writes it is what the archive has", async () => {
  const store = createArchive();
  const contacts = fc.uniqueArray(contact, {
    selector: ({ call_id }) => call_id,
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(contacts, fc.constantFrom("ANI", "ANI_Dialnum"), async (written, ani) => {
      const rows = written.map((one) => ({
        [ani]: one.ani,
        Contact_ID: one.call_id,
        Master_Contact_ID: one.ref_id,
        Agent_No: one.agent,
        Agent_Name: one.agent_name,
        Skill_Name: one.skill,
        Campaign_Name: one.campaign,
        Start_Date: toDatetime(one.atMs).replace(/^(\d+)-(\d+)-(\d+)T.*$/, "$2/$3/$1"),
        Start_Time: toDatetime(one.atMs).slice(11),
        Agent_Time: toClock(one.talk),
        ACW_Seconds: String(one.work ?? ""),
      }));
      const report = await importFiles({
        store,
        paths: [await writeLines("report.csv", toLines(rows))],
      });
      expect(report).toMatchObject({ read: written.length, rejected: 0 });
      for (const { atMs, talk, work = 0, ...fields } of written) {
        const datetime = toDatetime(atMs);
        const expected = toRecord({
          ...fields,
          datetime,
          talk_time: talk,
          handle_time: talk + work,
        });
        expect(await store.calls.byCallId(fields.call_id, "everything")).toContainEqual(expected);
      }
    }),
    { numRuns: 25 },
  );
});
