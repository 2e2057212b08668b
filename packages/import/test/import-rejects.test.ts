// Lines that the archive cannot take: each is counted, and says which field and what is wrong with it.
import { readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, toPattern, writeLines } from "./support/archives.ts";
import { query } from "./support/records.ts";

const CALL = { kind: "call", call_id: "A" };
const USER = {
  kind: "user",
  id: 1,
  username: "ann",
  status: 1,
  created_date: "2025-01-01T00:00:00Z",
};
const FLAG = {
  kind: "flag",
  Id: 1,
  Type: "Private",
  Name: "VIP",
  DateCreated: "2025-01-01T00:00:00Z",
  user_id: 1,
};
const CHAT = {
  kind: "chat",
  call_id: "A",
  datetime: "2025-01-01T00:00:00Z",
  party_type: "agent",
  room_id: "r",
};

test.each<[line: string | object, reason: string | RegExp]>([
  ["{", /^not valid JSON: /],
  ['{"kind":"call"} {"kind":"call"}', /^not valid JSON: /],
  ['{"kind":"call","notes":"\u0000"}', /^not valid JSON: /],
  ["[]", "must be a JSON object, not an array"],
  ["null", "must be a JSON object, not null"],
  ['"call"', "must be a JSON object, not a string"],
  [{}, "kind: missing, it must be call, user, flag, chat"],
  [{ kind: "calls" }, 'kind: "calls" is not a kind, it must be call, user, flag, chat'],
  [{ kind: ["call"] }, 'kind: ["call"] is not a kind, it must be call, user, flag, chat'],
  ['{"kind":"__proto__"}', 'kind: "__proto__" is not a kind, it must be call, user, flag, chat'],
  ['{"kind":"toString"}', 'kind: "toString" is not a kind, it must be call, user, flag, chat'],
  [{ ...CALL, weather: "fair" }, "weather: no such field"],
  [{ ...CALL, Agent: "ann" }, "Agent: no such field: did you mean agent?"],
  [{ ...CALL, agnet: "ann" }, "agnet: no such field: did you mean agent?"],
  [{ ...CALL, TalkTime: 60 }, "TalkTime: no such field: did you mean talk_time?"],
  [{ ...CALL, sesion_id: "s" }, "sesion_id: no such field: did you mean session_id?"],
  [{ ...CALL, abc: "a" }, "abc: no such field"],
  ['{"kind":"call","__proto__":{"agent":"ann"}}', "__proto__: no such field"],
  ['{"kind":"call","constructor":"x"}', "constructor: no such field"],
  [{ ...CALL, agent: 7 }, "agent: must be a string or null, not a number"],
  [{ ...CALL, call_id: 7 }, "call_id: must be a string or null, not a number"],
  [{ ...CALL, agent: ["ann"] }, "agent: must be a string or null, not an array"],
  [{ ...CALL, agent: { name: "ann" } }, "agent: must be a string or null, not an object"],
  [{ ...CALL, agent: true }, "agent: must be a string or null, not a boolean"],
  [{ ...CALL, agent: "a\0b" }, "agent: has a NUL character"],
  ['{"kind":"call","agent":"\\ud800"}', "agent: has half of a surrogate pair"],
  [{ ...CALL, talk_time: "60" }, "talk_time: must be an integer or null, not a string"],
  [{ ...CALL, talk_time: 1.5 }, "talk_time: must be an integer from 0 to 2^53 - 1, not 1.5"],
  [{ ...CALL, handle_time: -1 }, "handle_time: must be an integer from 0 to 2^53 - 1, not -1"],
  [
    '{"kind":"call","handle_time":1e400}',
    "handle_time: must be an integer from 0 to 2^53 - 1, not Infinity",
  ],
  [{ ...CALL, datetime: "01/05/2025" }, 'datetime: "01/05/2025" is not an ISO 8601 date and time'],
  [
    { ...CALL, datetime: "2025-02-30" },
    'datetime: "2025-02-30" is not a time that any calendar has',
  ],
  [{ ...CALL, datetime: 1 }, "datetime: must be a string or null, not a number"],
  [{ ...CALL, session_id: 7 }, "session_id: must be a string, not a number"],
  [{ ...CALL, master_id: "\0" }, "master_id: has a NUL character"],
  [
    { ...CALL, media: "voice", media_field: "voice" },
    "media_field: media gives that field already",
  ],
  [{ ...CALL, media: [], media_field: 1 }, "media_field: must be a string, not a number"],
  [{ ...CALL, media: {} }, "media: must be a string or null, not an object"],
  [{ ...CALL, media: ["a.wav"] }, 'media[0]: must be an object with "file", not a string'],
  [{ ...CALL, media: [{}] }, "media[0].file: missing"],
  [{ ...CALL, media: [{ file: 1 }] }, "media[0].file: must be a string, not a number"],
  [
    { ...CALL, media: [{ file: "a.wav", start: "soon" }] },
    'media[0].start: "soon" is not an ISO 8601 date and time',
  ],
  [{ ...CALL, media: [{ file: "a.wav", begin: null }] }, "media[0].begin: no such field"],
  [
    { ...CALL, media: [{ File: "a.wav" }] },
    "media[0].File: no such field: did you mean file?; media[0].file: missing",
  ],
  [{ ...CALL, media: [{ file: "a.wav", content: "UklGRg==" }] }, "media[0].content: no such field"],
  [
    { ...CALL, media: [{ contents: "UklGRg==" }] },
    "media[0].contents: no such field; media[0].file: missing",
  ],
  [{ ...USER, id: undefined }, "id: missing"],
  [{ ...USER, id: "1" }, "id: must be an integer, not a string"],
  [{ ...USER, id: null }, "id: must be an integer, not null"],
  [{ ...USER, username: undefined }, "username: missing"],
  [{ ...USER, username: "" }, "username: must not be empty"],
  [{ ...USER, status: undefined }, "status: missing"],
  [{ ...USER, status: 3 }, "status: must be 1 (active), 0 (inactive) or 2 (deleted)"],
  [{ ...USER, created_date: undefined }, "created_date: missing"],
  [{ ...USER, created_date: "1 May" }, 'created_date: "1 May" is not an ISO 8601 date and time'],
  [{ ...USER, modified_date: "1 May" }, 'modified_date: "1 May" is not an ISO 8601 date and time'],
  [{ ...USER, email_id: null }, "email_id: must be a string, not null"],
  [{ ...USER, is_admin: 1 }, "is_admin: must be true or false, not a number"],
  [{ ...USER, allow_all_agents: null }, "allow_all_agents: must be true or false, not null"],
  [{ ...USER, allowed_agents: "ann" }, "allowed_agents: must be an array of strings, not a string"],
  [
    { ...USER, allowed_secure01: ["a", 1] },
    "allowed_secure01: item 2 must be a string, not a number",
  ],
  [{ ...FLAG, Type: "public" }, "Type: must be one of Public, Private"],
  [{ ...FLAG, name: "VIP" }, "name: no such field: did you mean Name?"],
  [{ ...FLAG, Id: 1.5 }, "Id: must be an integer from 0 to 2^53 - 1, not 1.5"],
  [{ ...FLAG, DateCreated: undefined }, "DateCreated: missing"],
  [{ ...FLAG, user_id: undefined }, "user_id: missing, a Private flag belongs to a user"],
  [{ ...FLAG, user_id: "1" }, "user_id: must be an integer, not a string"],
  [{ ...FLAG, Type: "Public" }, "user_id: a Public flag belongs to nobody"],
  [{ ...CHAT, datetime: null }, "datetime: must be a string, not null"],
  [{ ...CHAT, datetime: undefined }, "datetime: missing"],
  [{ ...CHAT, room_id: undefined }, "room_id: missing"],
  [{ ...CHAT, transcript: 1 }, "transcript: must be a string or null, not a number"],
  [{ ...CHAT, user_id: 1 }, "user_id: no such field"],
  // All faults of a row are named.
  [
    {
      ...CALL,
      agnet: "ann",
      datetime: "noon",
      talk_time: -1,
      session_id: "a\u200bb",
      revised: "x",
    },
    /^agnet: .*; talk_time: .*; datetime: .*; session_id: .*U\+200B.*; revised: "x" is not/,
  ],
  [
    { ...CALL, media: [{ file: "", type: "x" }, { file: "b.wav", start: "soon", sha256: "0" }, 7] },
    /media\[0\]\.type: .*; media\[1\]\.sha256: .*; media\[1\]\.start: .*; media\[2\]: must/,
  ],
  [{ ...USER, id: undefined, status: 7 }, /^id: missing; status: must be 1/],
  [{ ...FLAG, Id: 0.5, DateModified: "x", user_id: "1" }, /^Id: .*; DateModified: .*; user_id: /],
  [{ ...CHAT, call_id: "..", datetime: "x", room_id: undefined }, /^room_id: .*; call_id: .*; dat/],
  [
    { ...CALL, ...Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`x${index}`, 1])) },
    /^x0: no such field; .*; x19: no such field; and more$/,
  ],
])("%j is rejected", async (line, reason) => {
  const store = createArchive();
  const paths = [await writeLines("archive.jsonl", [line])];

  const {
    firstRejections,
    firstReplacements: _none,
    firstErased: _neither,
    ...counts
  } = await importFiles({ store, paths, format: "jsonl" });

  expect(counts).toEqual({
    read: 1,
    imported: 0,
    replaced: 0,
    unchanged: 0,
    erased: 0,
    rejected: 1,
  });
  expect(firstRejections).toEqual([
    {
      file: paths[0],
      line: 1,
      reason: expect.stringMatching(toPattern(reason)),
    },
  ]);
  expect(await store.users.list()).toEqual([]);
});

test("the good rows around bad ones are imported, and every row is in the account or the reject file", async () => {
  const store = createArchive();
  const good = { kind: "call", datetime: "2025-05-01T10:00:00Z" };
  const path = await writeLines("archive.jsonl", [
    { ...good, call_id: "1" },
    { ...good, call_id: 2 },
    "",
    { ...USER },
    { ...USER, id: 2 },
    { ...good, call_id: "3" },
  ]);
  const rejectFile = join(dirname(path), "rejects.jsonl");

  const report = await importFiles({ store, paths: [path], format: "jsonl", rejectFile });

  expect(report).toMatchObject({ read: 5, imported: 3, unchanged: 0, rejected: 2, rejectFile });
  expect((await store.calls.search(query({}))).records.map(({ call_id }) => call_id)).toEqual([
    "1",
    "3",
  ]);
  const rejects = (await readFile(rejectFile, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rejects).toEqual([
    {
      file: path,
      line: 2,
      reason: "call_id: must be a string or null, not a number",
      raw: JSON.stringify({ ...good, call_id: 2 }),
    },
    {
      file: path,
      line: 5,
      reason: 'username: "ann" is the user 1 already',
      raw: JSON.stringify({ ...USER, id: 2 }),
    },
  ]);
  expect(report.firstRejections).toEqual(rejects.map(({ raw: _raw, ...rejection }) => rejection));
});

test("bytes that are no UTF-8 and lines without end cost their own line only", async () => {
  const store = createArchive();
  const path = await writeLines("archive.jsonl", []);
  const line = (text: string) => Buffer.from(`${text}\n`);
  const long = Buffer.alloc(17 * 1024 * 1024, "x");
  const latin = Buffer.from('{"kind":"call","call_id":"Z\u00fcrich"}\n', "latin1");
  await writeFile(
    path,
    Buffer.concat([
      latin,
      line('{"kind":"call","call_id":"A"}'),
      long,
      line(""),
      line('{"kind":"call","call_id":"B"}'),
    ]),
  );
  const rejectFile = join(dirname(path), "rejects.jsonl");

  const report = await importFiles({ store, paths: [path], format: "jsonl", rejectFile });

  expect(report).toMatchObject({ read: 4, imported: 2, rejected: 2 });
  expect(report.firstRejections.map(({ line: number, reason }) => [number, reason])).toEqual([
    [1, "the line is not valid UTF-8"],
    [3, "the line is longer than 16,777,216 bytes"],
  ]);
  expect((await stat(rejectFile)).size).toBeLessThan(10_000);
});

test("the report names the first ten rejects, the file all of them; reasons and rows are cut", async () => {
  const store = createArchive();
  const lines = Array.from({ length: 25 }, (_, index) => ({
    kind: "call",
    call_id: index,
    notes: "x".repeat(10_000),
  }));
  const path = await writeLines("archive.jsonl", [
    ...lines,
    { ["k".repeat(9_000)]: 1, kind: "call" },
  ]);
  const rejectFile = join(dirname(path), "rejects.jsonl");

  const report = await importFiles({ store, paths: [path], format: "jsonl", rejectFile });

  expect(report.rejected).toBe(26);
  expect(report.firstRejections.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const rejects = (await readFile(rejectFile, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rejects).toHaveLength(26);
  for (const { raw, reason } of rejects) {
    expect(raw).toHaveLength(4_096 + 3);
    expect(reason.length).toBeLessThanOrEqual(503);
  }
});

test("the reject file is for its owner alone, also where others could read it before", async () => {
  const store = createArchive();
  const path = await writeLines("archive.jsonl", [{ ...CALL, agent: 7 }]);
  const fresh = join(dirname(path), "new.jsonl");
  const old = join(dirname(path), "old.jsonl");
  await writeFile(old, "", { mode: 0o644 });

  for (const rejectFile of [fresh, old]) {
    await importFiles({ store, paths: [path], format: "jsonl", rejectFile });
    expect((await stat(rejectFile)).mode & 0o777).toBe(0o600);
  }
});

test("a reject file of an earlier run is never overwritten, nor taken for one of this run", async () => {
  const store = createArchive();
  const path = await writeLines("archive.jsonl", [{ ...CALL, agent: 7 }]);
  const rejectFile = join(dirname(path), "rejects.jsonl");
  await writeFile(rejectFile, "of yesterday");

  await expect(importFiles({ store, paths: [path], format: "jsonl", rejectFile })).rejects.toThrow(
    `the reject file ${rejectFile} is there already, and an import never overwrites one: move it away, or name another (--rejects)`,
  );
  expect(await readFile(rejectFile, "utf8")).toBe("of yesterday");
});

test("no reject file is made when nothing is rejected", async () => {
  const store = createArchive();
  const path = await writeLines("archive.jsonl", [CALL]);
  const rejectFile = join(dirname(path), "rejects.jsonl");

  const report = await importFiles({ store, paths: [path], format: "jsonl", rejectFile });

  expect(report).not.toHaveProperty("rejectFile");
  await expect(stat(rejectFile)).rejects.toThrow("ENOENT");
});
