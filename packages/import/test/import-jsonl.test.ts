// The archive's own format: what is written in it is in the archive, whole.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fieldsOf } from "@call-media/api";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { query, toRecord, toUser } from "./support/records.ts";

const DATETIME = "2025-05-01T10:00:00Z";

test("a call with every field comes back as it was, and again changes nothing", async () => {
  const store = createArchive();
  const texts = fieldsOf("MetadataRecord").map((field) => [field, `value of ${field}`]);
  const fields = {
    ...Object.fromEntries(texts),
    datetime: DATETIME,
    handle_time: 90,
    talk_time: 0,
  };
  const line = { kind: "call", ...fields, session_id: "S", master_id: "M" };
  const paths = [await writeLines("archive.jsonl", [line])];

  const first = await importFiles({ store, paths, format: "jsonl" });
  const second = await importFiles({ store, paths, format: "jsonl" });

  const none = {
    replaced: 0,
    rejected: 0,
    erased: 0,
    firstRejections: [],
    firstReplacements: [],
    firstErased: [],
    notices: [{ text: "a recording is named without a file: its name was kept", rows: 1 }],
  };
  expect(first).toEqual({ read: 1, imported: 1, unchanged: 0, ...none });
  expect(second).toEqual({ read: 1, imported: 0, unchanged: 1, ...none });
  for (const reference of ["value of ref_id", "S", "M"]) {
    expect(await store.calls.byReference(reference, "everything"), reference).toEqual([fields]);
  }
});

test("what a line leaves out has its default", async () => {
  const store = createArchive();
  const user = {
    kind: "user",
    id: 7,
    username: "ann",
    status: 1,
    created_date: DATETIME,
    allow_download: true,
  };
  const flag = { kind: "flag", Id: 1, Type: "Public", Name: "VIP", DateCreated: DATETIME };
  const chat = {
    kind: "chat",
    call_id: "A",
    datetime: DATETIME,
    party_type: "agent",
    room_id: "r",
  };
  const paths = [
    await writeLines("archive.jsonl", [{ kind: "call", call_id: "A" }, user, flag, chat]),
  ];

  expect(await importFiles({ store, paths, format: "jsonl" })).toMatchObject({
    read: 4,
    imported: 4,
  });

  expect(await store.calls.byCallId("A", "everything")).toEqual([toRecord({ call_id: "A" })]);
  const { kind: _kind, ...fields } = user;
  const rights = fieldsOf("UserSecurityRecord").filter((field) => field.startsWith("allow_all_"));
  expect(await store.users.byId(7)).toEqual(
    toUser(7, { ...Object.fromEntries(rights.map((right) => [right, false])), ...fields }),
  );
  expect(await store.users.publicFlags()).toEqual([
    { Id: 1, Type: "Public", Name: "VIP", DateCreated: DATETIME, DateModified: DATETIME },
  ]);
  expect(await store.calls.chat("A", "everything")).toEqual([
    {
      call_id: "A",
      transcript: null,
      datetime: DATETIME,
      party_type: "agent",
      label: null,
      room_id: "r",
    },
  ]);
});

test("records keep the contract's order of fields, whatever the order of the line (D27)", async () => {
  const store = createArchive();
  const flag = {
    DateModified: DATETIME,
    DateCreated: DATETIME,
    Name: "VIP",
    Type: "Private",
    Id: 1,
    user_id: 7,
    kind: "flag",
  };
  const chat = {
    room_id: "r",
    label: null,
    party_type: "agent",
    datetime: DATETIME,
    transcript: "Hi",
    call_id: "A",
    kind: "chat",
  };
  const user = {
    created_date: DATETIME,
    status: 0,
    search_rights: [{ any: "JSON" }, null],
    username: "ann",
    id: 7,
    kind: "user",
  };
  await importFiles({
    store,
    paths: [await writeLines("archive.jsonl", [flag, chat, user])],
    format: "jsonl",
  });

  expect(Object.keys((await store.users.privateFlags(7))[0] ?? {})).toEqual(
    fieldsOf("PrivateFlagRecord"),
  );
  expect(Object.keys((await store.calls.chat("A", "everything"))[0] ?? {})).toEqual(
    fieldsOf("ChatMessageRecord"),
  );
  const found = await store.users.byId(7);
  expect(Object.keys(found ?? {}).slice(0, 14)).toEqual(fieldsOf("UserBasicRecord"));
  expect(found?.search_rights).toEqual([{ any: "JSON" }, null]);
});

test("chat, flags and users get datetimes with an offset, as RFC 3339 writes them; a call keeps its own (D03, D28)", async () => {
  const store = createArchive("Europe/London");
  const chats = [
    "2025-05-01 10:00",
    "2025-05-01",
    "2025-05-01T10:00:00,25",
    "2025-05-01 10:00:00 +0200",
    "2025-05-01T10:00:00.123456z",
    "2025-05-01T10:00-03",
  ];
  const lines = chats.map((datetime) => ({
    kind: "chat",
    call_id: "A",
    datetime,
    party_type: "agent",
    room_id: "r",
    transcript: datetime,
  }));
  const flag = {
    kind: "flag",
    Id: 1,
    Type: "Public",
    Name: "VIP",
    DateCreated: "2025-01-01 09:00",
    DateModified: "2025-05-01",
  };
  const user = {
    kind: "user",
    id: 7,
    username: "ann",
    status: 1,
    created_date: "2025-05-01 09:30",
    modified_date: "2025-05-01 09:30",
  };
  const call = { kind: "call", call_id: "A", datetime: "2025-05-01 10:00" };
  await importFiles({
    store,
    paths: [await writeLines("archive.jsonl", [...lines, flag, user, call])],
    format: "jsonl",
  });

  const written = Object.fromEntries(
    (await store.calls.chat("A", "everything")).map(({ transcript, datetime }) => [
      transcript,
      datetime,
    ]),
  );
  expect(written).toEqual({
    "2025-05-01 10:00": "2025-05-01T10:00:00+01:00",
    "2025-05-01": "2025-05-01T00:00:00+01:00",
    "2025-05-01T10:00:00,25": "2025-05-01T10:00:00.25+01:00",
    "2025-05-01 10:00:00 +0200": "2025-05-01T10:00:00+02:00",
    "2025-05-01T10:00:00.123456z": "2025-05-01T10:00:00.123456Z",
    "2025-05-01T10:00-03": "2025-05-01T10:00:00-03:00",
  });
  expect(await store.users.publicFlags()).toMatchObject([
    { DateCreated: "2025-01-01T09:00:00+00:00", DateModified: "2025-05-01T00:00:00+01:00" },
  ]);
  expect(await store.users.byId(7)).toMatchObject({
    created_date: "2025-05-01T09:30:00+01:00",
    modified_date: "2025-05-01 09:30",
  });
  expect(await store.calls.byCallId("A", "everything")).toMatchObject([
    { datetime: "2025-05-01 10:00" },
  ]);
});

test("a source in another time zone gets its offsets written, so that every record reads right in the archive's", async () => {
  const store = createArchive("America/New_York");
  const datetimes = [
    "2025-01-01 10:00",
    "2025-07-01T10:00:00",
    "2025-07-01",
    "2025-07-01T10:00:00Z",
  ];
  const lines = datetimes.map((datetime, index) => ({
    kind: "call",
    call_id: String(index),
    datetime,
  }));
  const paths = [await writeLines("archive.jsonl", lines)];

  const report = await importFiles({ store, paths, format: "jsonl", timeZone: "Europe/London" });
  const again = await importFiles({ store, paths, format: "jsonl", timeZone: "Europe/London" });

  expect([report.imported, again.unchanged]).toEqual([4, 4]);
  const { records } = await store.calls.search(query({}));
  expect(records.map(({ call_id, datetime }) => [call_id, datetime])).toEqual([
    ["3", "2025-07-01T10:00:00Z"],
    ["1", "2025-07-01T10:00:00+01:00"],
    ["2", "2025-07-01T00:00:00+01:00"],
    ["0", "2025-01-01 10:00+00:00"],
  ]);
  const inJune = await store.calls.search(
    query({ startDate: "2025-06-30", endDate: "2025-06-30" }),
  );
  expect(inJune.records.map(({ call_id }) => call_id)).toEqual(["2"]);
});

test("a byte order mark, Windows line ends, blank lines and a missing last line end are no trouble", async () => {
  const store = createArchive();
  const path = join(dirname(await writeLines("other.jsonl", [])), "archive.jsonl");
  await writeFile(
    path,
    '\ufeff{"kind":"call","call_id":"A"}\r\n\r\n   \n{"kind":"call","call_id":"Ä"}\r\n{"kind":"call","call_id":"C"}',
  );

  const report = await importFiles({ store, paths: [path], format: "jsonl" });

  expect(report).toMatchObject({ read: 3, imported: 3 });
  for (const id of ["A", "Ä", "C"])
    expect(await store.calls.byCallId(id, "everything"), id).toHaveLength(1);
});

test("lines longer than a chunk of reading, and characters across its border, arrive whole", async () => {
  const store = createArchive();
  const transcript = "ä€𐐀".repeat(200_000);
  const lines = ["A", "B"].map((call_id) => ({
    kind: "call",
    call_id,
    transcript: call_id + transcript,
  }));

  const report = await importFiles({
    store,
    paths: [await writeLines("archive.jsonl", lines)],
    format: "jsonl",
  });

  expect(report.imported).toBe(2);
  for (const id of ["A", "B"])
    expect(
      (await store.calls.byCallId(id, "everything"))[0]?.transcript === id + transcript,
      id,
    ).toBe(true);
});

test("a folder is read file by file, with what lies below it", async () => {
  const store = createArchive();
  const folder = dirname(
    await writeLines("b.jsonl", [{ kind: "call", call_id: "A", ref_id: "2", identity: ["2"] }]),
  );
  await mkdir(join(folder, "a"));
  await writeFile(join(folder, "a", "c.NDJSON"), '{"kind":"call","call_id":"A","ref_id":"1"}\n');
  await writeFile(join(folder, "notes.txt"), "no archive\n");

  expect(await importFiles({ store, paths: [folder], format: "jsonl" })).toMatchObject({
    read: 2,
    imported: 2,
  });

  expect((await store.calls.byCallId("A", "everything")).map(({ ref_id }) => ref_id)).toEqual([
    "1",
    "2",
  ]);
});
