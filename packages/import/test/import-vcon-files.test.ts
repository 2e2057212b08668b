// Files of vCons: whole folders, one on each line, broken ones, and those that are only odd.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, toPattern, writeLines } from "./support/archives.ts";
import { importVcon, START, UUID } from "./support/vcons.ts";

test.each<[text: string | object, reason: string | RegExp]>([
  ["", "the file is empty"],
  ['{\n"uuid": "x",\n', /^not valid JSON/],
  ["[]", "a vCon must be a JSON object, not an array"],
  [{ parties: [] }, "uuid: must be a string, not undefined"],
  [{ uuid: "" }, "uuid: must not be empty"],
  [{ uuid: UUID, vcon: "1.0.0" }, 'vcon: version "1.0.0" is not known, 0.0.1 to 0.4.0 are'],
  [{ uuid: UUID, vcon: 2 }, "vcon: version 2 is not known, 0.0.1 to 0.4.0 are"],
  [{ payload: "", signatures: [] }, "the vCon is signed (JWS): verify it and import what it holds"],
  [{ ciphertext: "", recipients: [] }, "the vCon is encrypted (JWE): decrypt it first"],
  [{ uuid: UUID, parties: {} }, "parties: must be an array, not an object"],
  [{ uuid: UUID, dialog: [1] }, "dialog[0]: must be an object, not a number"],
  [{ uuid: UUID, analysis: [null] }, "analysis[0]: must be an object, not null"],
  [
    { uuid: UUID, dialog: [{}, { type: "text", start: "yesterday" }] },
    'dialog[1].start: "yesterday" is not an ISO 8601 date and time',
  ],
  [{ uuid: UUID, created_at: "May" }, 'datetime: "May" is not an ISO 8601 date and time'],
  [
    { uuid: UUID, dialog: [{ type: "text", body: "Hi" }] },
    "dialog[0].start: missing, and the vCon has no created_at",
  ],
  [
    { uuid: UUID, dialog: [{ type: "text", start: START, body: "%%%", encoding: "base64url" }] },
    "dialog[0].body: is not base64url",
  ],
  [
    { uuid: UUID, dialog: [{ type: "recording", body: "a b", encoding: "base64url" }] },
    "dialog[0].body: is not base64url",
  ],
  [
    { uuid: UUID, dialog: [{ type: "recording", body: "abc", encoding: "none" }] },
    'dialog[0].encoding: a recording must be in base64url, not "none"',
  ],
  [
    { uuid: UUID, dialog: [{ type: "recording", body: {}, encoding: "base64url" }] },
    /^dialog\[0\]\.encoding: a recording must be/,
  ],
  [{ uuid: "a\0b" }, "call_id: has a NUL character; ref_id: has a NUL character"],
])("a broken vCon is rejected: %j", async (given, reason) => {
  const store = createArchive();
  const path = await writeLines("broken.vcon", []);
  await writeFile(path, typeof given === "string" ? given : JSON.stringify(given, null, 2));

  const report = await importFiles({ store, paths: [path], format: "vcon" });

  expect(report).toMatchObject({ read: 1, imported: 0, rejected: 1 });
  expect(report.firstRejections).toEqual([
    {
      file: path,
      line: 1,
      reason: expect.stringMatching(toPattern(reason)),
    },
  ]);
});

test("odd content is no reason to refuse a vCon", async () => {
  const { record } = await importVcon({
    uuid: UUID,
    created_at: START,
    parties: [{ tel: 31201234567, name: { first: "Bo" }, role: ["agent"] }, {}],
    dialog: [
      { type: 7, parties: "all", originator: 99, duration: "long", meta: [], session_id: 5 },
      { type: "text", body: null },
      { type: "recording", duration: -1 },
    ],
    analysis: [
      { type: "transcript" },
      { type: "transcript", body: "{}" },
      { type: "transcript", transcript: "{}" },
      { type: "summary", body: {} },
    ],
    attachments: [{}, { body: "{" }, { body: '{"direction":"sideways"}' }],
    group: "none",
  });

  expect(record).toEqual({
    datetime: START,
    call_id: UUID,
    ref_id: UUID,
    ani: "31201234567",
    phone_number1: "31201234567",
  });
});

test("a folder of vCons, pretty or not, and files with one on each line", async () => {
  const store = createArchive();
  const vcon = (uuid: string) => ({
    vcon: "0.0.1",
    uuid,
    parties: [],
    dialog: [{ type: "text", start: START, parties: [], body: "Hi" }],
  });
  const folder = dirname(await writeLines("lines.json", [vcon("1"), "", "{", vcon("2")]));
  await mkdir(join(folder, "deep"));
  await writeFile(
    join(folder, "deep", "pretty.vcon.json"),
    `\ufeff\r\n${JSON.stringify(vcon("3"), null, 2).replaceAll("\n", "\r\n")}`,
  );
  await writeFile(join(folder, "deep", "plain.vcon"), JSON.stringify(vcon("4")));
  await writeFile(join(folder, "readme.txt"), "no vCon");

  const report = await importFiles({ store, paths: [folder], format: "vcon" });
  const again = await importFiles({ store, paths: [folder], format: "vcon" });

  expect(report).toMatchObject({
    read: 5,
    imported: 4,
    rejected: 1,
    firstRejections: [{ file: join(folder, "lines.json"), line: 3 }],
  });
  expect(again).toMatchObject({ read: 5, unchanged: 4, rejected: 1 });
  for (const id of ["1", "2", "3", "4"]) {
    expect(await store.calls.byCallId(id, "everything"), id).toHaveLength(1);
    expect(await store.calls.chat(id, "everything"), id).toHaveLength(1);
  }
});
