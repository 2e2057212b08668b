// Texts of users, addresses and chats at their longest, in characters as JSON Schema counts them (D29).
import { document } from "@call-media/api";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { message, toUser } from "./support/records.ts";

// Two of JavaScript's characters.
const WIDE = "\u{1F4DE}";
const DATETIME = "2025-05-01T10:00:00Z";

const boundsOf = (schema: string) =>
  Object.entries(document.components.schemas[schema]?.properties ?? {}).flatMap(
    ([field, { maxLength }]) => (maxLength === undefined ? [] : [{ schema, field, maxLength }]),
  );
const ofUsers = [...boundsOf("UserBasicRecord"), ...boundsOf("UserAddressRecord")];
const ofChats = boundsOf("ChatMessageRecord");

async function importLines(lines: readonly object[]) {
  const store = createArchive();
  const account = await importFiles({
    store,
    paths: [await writeLines("archive.jsonl", lines)],
    format: "jsonl",
  });
  return { store, account, reasons: account.firstRejections.map(({ reason }) => reason) };
}

test("every text of a user, an address and a chat message has a longest length", () => {
  const isText = ({ type, format }: { type?: unknown; format?: string; pattern?: string }) =>
    [type].flat().includes("string") && format === undefined;
  const texts = ["UserBasicRecord", "UserAddressRecord", "ChatMessageRecord"].flatMap((schema) =>
    Object.entries(document.components.schemas[schema]?.properties ?? {})
      .filter(([, one]) => isText(one) && one.pattern === undefined)
      .map(([field]) => field),
  );
  expect([...ofUsers, ...ofChats].map(({ field }) => field)).toEqual(texts);
  expect(texts).toHaveLength(21);
});

test.each(ofUsers)("$field of a $schema", async ({ field, maxLength }) => {
  const longest = WIDE.repeat(maxLength);
  const { store, reasons } = await importLines([
    { kind: "user", ...toUser(1, { [field]: longest }) },
    { kind: "user", ...toUser(2, { [field]: `${longest}.` }) },
  ]);
  expect(await store.users.list()).toEqual([toUser(1, { [field]: longest })]);
  expect(reasons).toEqual([
    `${field}: must have at most ${maxLength} characters, not ${maxLength + 1}`,
  ]);
});

test.each(ofChats)("$field of a chat message", async ({ field, maxLength }) => {
  const longest = WIDE.repeat(maxLength);
  const chat = { ...message("A", "Hello.", DATETIME), [field]: longest };
  const { store, reasons } = await importLines([
    { kind: "chat", ...chat },
    { kind: "chat", ...chat, [field]: `${longest}.` },
  ]);
  expect(await store.calls.chat(chat.call_id ?? "", "everything")).toEqual([chat]);
  expect(reasons).toEqual([
    `${field}: must have at most ${maxLength} characters, not ${maxLength + 1}`,
  ]);
});

test("the call_id of a chat message is null or not empty", async () => {
  const chat = message("", "Hello.", DATETIME);
  const { account, reasons } = await importLines([
    { kind: "chat", ...chat },
    { kind: "chat", ...chat, call_id: null },
  ]);
  expect(account).toMatchObject({ imported: 1, rejected: 1 });
  expect(reasons).toEqual(["call_id: must not be empty"]);
});

test("texts of any characters come back, or are refused for their length", async () => {
  const character = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
  const around = fc
    .tuple(
      fc.array(
        character.filter((one) => one !== "\0"),
        { minLength: 1, maxLength: 8 },
      ),
      fc.integer({ min: 1020, max: 1028 }),
    )
    .map(([some, length]) => Array.from({ length }, (_, at) => some[at % some.length]).join(""));
  const given = fc.sample(around, 60).map((title, at) => toUser(at + 1, { title }));
  const { store, account } = await importLines(given.map((user) => ({ kind: "user", ...user })));
  const fitting = given.filter(({ title }) => Array.from(title ?? "").length <= 1024);
  expect(await store.users.list()).toEqual(fitting);
  expect(account.rejected).toBe(given.length - fitting.length);
});

test("a call record has no bound", async () => {
  const notes = WIDE.repeat(1_000_001);
  const { store } = await importLines([{ kind: "call", call_id: "A", notes }]);
  expect((await store.calls.byCallId("A", "everything"))[0]?.notes).toBe(notes);
});
