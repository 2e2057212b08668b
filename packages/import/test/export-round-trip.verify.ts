// Whatever an import takes, an export gives back: any record, message, name of a recording.
import * as fc from "fast-check";
import { fieldsOf } from "@call-media/api";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportArchive } from "./support/maintenance.ts";
import { checkIdentifier } from "../src/entry/identifier.ts";
import { EXPORT_FORMATS } from "../src/export/index.ts";
import { importFiles } from "../src/index.ts";
import type { ArchiveItem, MetadataRecord } from "@call-media/store";
import { createStore } from "@call-media/store/sqlite";
import { createFolder } from "./support/archives.ts";
import { readEverything } from "./support/everything.ts";
import { call, fill } from "./support/records.ts";

// What an archive takes as text: anything but NUL and halves of surrogate pairs. Some of it looks like something else.
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((value) => !value.includes("\0")),
  fc.constantFrom(
    "",
    " ",
    "[]",
    '{"text":"x"}',
    "a%20b",
    "null",
    "agent",
    "ann@example.com",
    "+44 20 7946",
    "tel:1",
  ),
);
// An import refuses identifiers that nobody would find again.
const identifier = text.filter((value) => {
  try {
    checkIdentifier("ref_id", value);
    return true;
  } catch {
    return false;
  }
});
const name = text.filter((value) => /^(?!\.{1,2}$)[^/]+$/.test(value));
const callId = fc.option(fc.constantFrom("1", "2", "3", ""), { nil: null });
const datetime = fc.oneof(
  fc.constantFrom(
    "2025-05-01T10:00:00",
    "2025-05-01 10:00",
    "2025-05-01",
    "2025-10-26T01:30:00.123456Z",
  ),
  fc
    .date({ min: new Date("1900-01-01"), max: new Date("2200-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
);

const TIMES = new Set<keyof MetadataRecord>(["handle_time", "talk_time"]);
const FIELDS = fieldsOf("MetadataRecord");

function toValue(field: keyof MetadataRecord): fc.Arbitrary<string | number> {
  if (TIMES.has(field)) return fc.nat();
  return field === "ref_id" ? identifier : text;
}

const record = fc
  .record(
    Object.fromEntries(
      FIELDS.map((field) => [field, fc.option(toValue(field), { nil: null, freq: 2 })]),
    ),
    { requiredKeys: [] },
  )
  .chain((fields) =>
    fc
      .record({ call_id: callId, datetime: fc.option(datetime, { nil: null }) })
      .map((own) => ({ ...fields, ...own })),
  );

const recordings = fc.array(
  fc.record({
    filename: name,
    startMs: fc.option(fc.integer({ min: 0, max: 2_000_000_000_000 }), { nil: undefined }),
    content: fc.constantFrom("one", "two", "three"),
  }),
  { maxLength: 3 },
);

const calls = fc.array(
  fc.record({
    record,
    recordings,
    sessionId: fc.option(identifier, { nil: undefined }),
    identity: fc.option(fc.array(fc.option(text, { nil: null }), { minLength: 1, maxLength: 3 }), {
      nil: undefined,
    }),
  }),
  { maxLength: 12 },
);

const chats = fc.array(
  fc.record({
    call_id: callId.filter((id) => id !== ""), // D29
    transcript: fc.option(text, { nil: null }),
    datetime: fc.constantFrom(
      "2025-05-01T10:00:00Z",
      "2025-05-01T10:00:00+02:00",
      "2025-05-01T10:00:00.5Z",
    ),
    party_type: text,
    label: fc.option(text, { nil: null }),
    room_id: text,
  }),
  { maxLength: 12 },
);

type Calls = typeof calls extends fc.Arbitrary<infer T> ? T : never;

async function createArchive(given: Calls, messages: readonly object[]): Promise<string> {
  const directory = await createFolder();
  await using store = await createStore({ directory, timeZone: "Europe/London" });
  const items: ArchiveItem[] = [];
  for (const { record: fields, recordings: files, sessionId, identity } of given) {
    const taken = [];
    for (const { filename, startMs, content } of files.toSorted(
      (a, b) => (a.startMs ?? Infinity) - (b.startMs ?? Infinity) || 0,
    ))
      taken.push({
        filename,
        startMs,
        media: await store.media.put({ name: content, content: Buffer.from(content) }),
      });
    items.push(
      call(fields, {
        recordings: taken,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(identity === undefined ? {} : { identity }),
      }),
    );
  }
  await fill(store, [
    ...items,
    ...messages.map((message) => ({ kind: "chat", record: message }) as ArchiveItem),
  ]);
  return directory;
}

test.each(Object.values(EXPORT_FORMATS))("$name: import(export(x)) = x", async (format) => {
  await fc.assert(
    fc.asyncProperty(calls, chats, async (given, messages) => {
      const directory = await createArchive(given, messages);
      const to = join(await createFolder(), "export");
      await exportArchive({ directory, format, to });
      const again = await createFolder();
      {
        await using store = await createStore({ directory: again, timeZone: "Europe/London" });
        const isEmpty = given.length + messages.length === 0;
        const report = isEmpty ? undefined : await importFiles({ store, paths: [to] });
        expect(report?.firstRejections ?? []).toEqual([]);
      }
      expect(await readEverything(again)).toEqual(await readEverything(directory));
    }),
    { numRuns: 12 },
  );
});
