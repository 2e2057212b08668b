// Tables: which column becomes which field, and what their text is turned into, is said by a mapping.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { importCsv } from "./support/csv.ts";
import { query, toRecord } from "./support/records.ts";

test("a call log: renamed columns, constants, joined columns, durations and dates as they are written", async () => {
  const store = createArchive("America/Los_Angeles");
  const mapping = {
    nulls: ["", "[None]"],
    fields: {
      call_id: "{CALL ID}",
      datetime: { from: "{TIMESTAMP}", as: "datetime", format: "EEE, dd MMM yyyy HH:mm:ss" },
      campaign: "{CAMPAIGN}",
      campaign_type: "Inbound",
      agent: "{AGENT}",
      agent_name: "{FIRST} {LAST}",
      session_id: "five9/{CALL ID}",
      talk_time: { from: "{TALK TIME}", as: "duration" },
      handle_time: "{SECONDS}",
      notes: "{{as it was}: {NOTES}",
      custom_field_1: { from: "{TALK TIME}", as: "duration" },
      custom_field_2: "{FIRST}{NOTES}",
    },
  };
  const report = await importCsv(store, mapping, [
    "CALL ID,TIMESTAMP,CAMPAIGN,AGENT,FIRST,LAST,TALK TIME,SECONDS,NOTES,UNUSED",
    '300000000000001,"Fri, 21 Aug 2026 09:00:06",Sales,ann@x.test,Ann,Lee,00:02:03,150,"said ""hi"", then\nleft",x',
    '300000000000002,"Sat, 22 Aug 2026 23:59:59",[None],,,Lee,00:00:00.635,,,x',
  ]);

  expect(report).toMatchObject({ read: 2, imported: 2 });
  expect(await store.calls.byReference("five9/300000000000001", "everything")).toEqual([
    toRecord({
      call_id: "300000000000001",
      datetime: "2026-08-21T09:00:06",
      campaign: "Sales",
      campaign_type: "Inbound",
      agent: "ann@x.test",
      agent_name: "Ann Lee",
      talk_time: 123,
      handle_time: 150,
      notes: '{as it was}: said "hi", then\nleft',
      custom_field_1: "123",
      custom_field_2: 'Annsaid "hi", then\nleft',
    }),
  ]);
  expect(await store.calls.byCallId("300000000000002", "everything")).toEqual([
    toRecord({
      call_id: "300000000000002",
      datetime: "2026-08-22T23:59:59",
      campaign_type: "Inbound",
      agent_name: "Lee",
      talk_time: 1,
      custom_field_1: "1",
    }),
  ]);
  const day = { startDate: "2026-08-22", endDate: "2026-08-22" };
  expect((await store.calls.search(query(day))).recordCount).toBe(1);
});

test("rows with another number of columns or with stray quotes cost themselves only, by their line", async () => {
  const store = createArchive();
  const report = await importCsv(store, { fields: { call_id: "{A}", notes: "{B}" } }, [
    "A,B",
    "1,ok",
    "2",
    "3,ok,more",
    "",
    '4,5" pipe',
    '5,"two',
    'lines"',
    '6,"closed" late',
    '"7',
    "8,ok",
    '9,"a ""quoted"" word"',
    '10,"never closed',
    "11,ok",
  ]);

  expect(report).toMatchObject({ read: 11, imported: 5, rejected: 6 });
  const quote = 'a quote (") is opened and not closed, or stands inside a field that is not quoted';
  expect(report.firstRejections.map(({ line, reason }) => [line, reason])).toEqual([
    [3, "the row has 1 columns, the file has 2"],
    [4, "the row has 3 columns, the file has 2"],
    [6, quote],
    [9, quote],
    [10, quote],
    [13, quote],
  ]);
  expect((await store.calls.byCallId("5", "everything"))[0]?.notes).toBe("two\nlines");
  expect((await store.calls.byCallId("9", "everything"))[0]?.notes).toBe('a "quoted" word');
  for (const id of ["1", "8", "11"])
    expect(await store.calls.byCallId(id, "everything"), id).toHaveLength(1);
});

test("thousands of rows keep their lines; a second run finds them all", async () => {
  const store = createArchive();
  const rows = Array.from({ length: 3_000 }, (_, index) =>
    index % 1_000 === 999 ? `${index},x,y` : `${index},"a\nb"`,
  );
  const mapping = { fields: { call_id: "{A}", notes: "{B}" } };

  const first = await importCsv(store, mapping, ["A,B", ...rows]);
  const second = await importCsv(store, mapping, ["A,B", ...rows]);

  expect(first).toMatchObject({ read: 3_000, imported: 2_997, rejected: 3 });
  expect(first.firstRejections.map(({ line }) => line)).toEqual([2_000, 3_999, 5_998]);
  expect(second).toMatchObject({ read: 3_000, unchanged: 2_997, rejected: 3 });
});

test("other delimiters, files without a header, a byte order mark and invalid bytes", async () => {
  const store = createArchive();
  const path = await writeLines("log.csv", []);
  const lines = ['\ufeff1|"a|b"|c\r\n', "2|x|y\r\n", "3|\u00fc|z\r\n"];
  await writeFile(
    path,
    Buffer.concat([Buffer.from(`${lines[0]}${lines[1]}`), Buffer.from(lines[2] ?? "", "latin1")]),
  );
  const mappingFile = await writeLines("map.json", [
    {
      table: { delimiter: "|", columns: ["id", "note", "id2"] },
      fields: { call_id: "{id}", notes: "{note}", ref_id: "{id2}" },
    },
  ]);

  const report = await importFiles({ store, paths: [path], format: "csv", mappingFile });

  expect(report).toMatchObject({
    read: 3,
    imported: 2,
    rejected: 1,
    firstRejections: [{ line: 3, reason: "the line is not valid UTF-8" }],
  });
  expect((await store.calls.byCallId("1", "everything"))[0]).toMatchObject({
    notes: "a|b",
    ref_id: "c",
  });
});

test("a table whose lines end in CR alone is refused, since all of it would be its header", async () => {
  const store = createArchive();
  const fields = { call_id: "{id}" };
  const attempt = importCsv(store, { fields }, ["id,note\r1,x\r2,y\r"]);
  await expect(attempt).rejects.toThrow(
    /log\.csv: the lines end in CR alone: save it with the line ends of Unix or Windows$/,
  );
});

test("a chat: the datetime gets its offset, the mapping names what a message must have", async () => {
  const store = createArchive("Europe/London");
  const fields = {
    call_id: "{id}",
    datetime: "{at}",
    party_type: "{who}",
    room_id: "room {id}",
    transcript: "{text}",
  };
  const report = await importCsv(store, { kind: "chat", fields }, [
    "id,at,who,text",
    "A,2025-05-01 10:00:00,agent,Hello",
    "A,,agent,when?",
  ]);

  expect(report).toMatchObject({
    imported: 1,
    rejected: 1,
    firstRejections: [{ line: 3, reason: "datetime: missing" }],
  });
  expect(await store.calls.chat("A", "everything")).toEqual([
    {
      call_id: "A",
      transcript: "Hello",
      datetime: "2025-05-01T10:00:00+01:00",
      party_type: "agent",
      label: null,
      room_id: "room A",
    },
  ]);
});

test("recordings lie in the media folder; a row names none, one or several of them", async () => {
  const store = createArchive();
  const mappingFile = await writeLines("map.json", [
    {
      fields: { call_id: "{id}", media: "{channel}" },
      media: ["{day}/{file}", "{screen}"],
    },
  ]);
  const path = await writeLines("log.csv", [
    "id,channel,day,file,screen",
    "1,voice,.,a.wav,b.mp4",
    "2,chat,,,",
    "3,voice,.,gone.wav,",
  ]);
  for (const name of ["a.wav", "b.mp4"]) await writeFile(join(dirname(path), name), name);

  const report = await importFiles({ store, paths: [path], format: "csv", mappingFile });

  expect(report).toMatchObject({
    imported: 2,
    rejected: 1,
    firstRejections: [{ line: 4, reason: 'media: "./gone.wav" does not exist' }],
  });
  expect((await store.calls.byCallId("1", "everything"))[0]).toMatchObject({
    media: "voice",
    recordings: "a.wav; b.mp4",
  });
  expect((await store.calls.byCallId("2", "everything"))[0]).toMatchObject({
    media: "chat",
    recordings: null,
  });
});
