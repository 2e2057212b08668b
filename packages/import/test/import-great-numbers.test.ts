// Whole numbers of more digits than JavaScript keeps: as identifiers, each is what the file says, digit by digit.
import { expect, test } from "vitest";
import { importFiles, type ImportOptions } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

// As numbers of JavaScript the two are one.
const [ONE, OTHER] = ["9007199254740992001", "9007199254740992002"];
const AT = "2026-08-21T09:00:06Z";

async function importText(name: string, text: string, options: Partial<ImportOptions> = {}) {
  const store = createArchive();
  const paths = [await writeLines(name, [text])];
  return { store, report: await importFiles({ store, paths, ...options }) };
}

test("calls of a platform whose numbers differ in the last digit stay apart", async () => {
  const contact = (id: string) =>
    `{"contactId":${id},"masterContactId":${id},"contactStart":"${AT}","agentSeconds":61}`;
  const { store, report } = await importText("a.json", `[${contact(ONE)},${contact(OTHER)}]`);
  expect(report).toMatchObject({ imported: 2 });
  for (const id of [ONE, OTHER])
    expect(await store.calls.byReference(id, "everything")).toMatchObject([
      { call_id: id, ref_id: id, talk_time: 61 },
    ]);
});

test("a mapping gives their digits, alone, as a part of a text and inside of an object", async () => {
  const fields = { call_id: "{id}", ref_id: "x-{id}", notes: "{more}" };
  const mappingFile = await writeLines("map.json", [{ kind: "call", fields }]);
  const text = `{"id":${ONE},"more":{"of":[-${OTHER}]}}`;
  const { store } = await importText("a.jsonl", text, { mappingFile });
  expect(await store.calls.byCallId(ONE, "everything")).toMatchObject([
    { ref_id: `x-${ONE}`, notes: `{"of":["-${OTHER}"]}` },
  ]);
});

test("a recording finds its call by them", async () => {
  const call = `{"conversationId":${ONE},"conversationStart":"${AT}","participants":[]}`;
  const recording = `{"id":${OTHER},"conversationId":${ONE},"media":"audio"}`;
  const { store, report } = await importText("a.json", `[${call},${recording}]`);
  expect(report).toMatchObject({ read: 1, imported: 1 });
  expect(await store.calls.byCallId(ONE, "everything")).toMatchObject([{ recordings: OTHER }]);
});

test("a vCon has them, too", async () => {
  const dialog = `{"type":"incomplete","start":"${AT}","interaction_id":${ONE}}`;
  const { store } = await importText("a.vcon", `{"uuid":"u","parties":[],"dialog":[${dialog}]}`);
  expect(await store.calls.byCallId(ONE, "everything")).toMatchObject([{ ref_id: "u" }]);
});

test("a number that is too great for its field rejects the row by that field", async () => {
  const contact = `{"contactId":1,"masterContactId":1,"contactStart":"${AT}","agentSeconds":${ONE}}`;
  const { report } = await importText("a.json", `[${contact}]`);
  expect(report.firstRejections).toMatchObject([{ reason: expect.stringMatching(/^talk_time: /) }]);
});

test("in the archive's own format a number is no text, however great", async () => {
  const { report } = await importText("a.jsonl", `{"kind":"call","call_id":${ONE}}`);
  expect(report.firstRejections).toMatchObject([{ reason: expect.stringMatching(/^call_id: /) }]);
});
