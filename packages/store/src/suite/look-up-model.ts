// A lookup by identifier returns the same as a few lines of code over all records: for any records, any number of records with one
// identifier, and any rights.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CallItem, CallStore, Visibility } from "../index.ts";
import { call, fill, message } from "./records.ts";
import { listRestrictions } from "../values/visibility.ts";
import { close, type CreateStore, type Extent, toRuns } from "./stores.ts";

const VISIBILITIES: readonly Visibility[] = [
  "everything",
  [{ field: "agent", allowed: ["ann"] }],
  [
    { field: "agent", allowed: ["ann", "bob 3"] },
    { field: "skill", allowed: ["s"] },
  ],
];

// Identifiers that differ in case or in surrounding whitespace are different.
const NAMES = ["a", "A", "ä", "Ä", " a", "", "x".repeat(4_096)];
const KINDS = ["call_id", "ref_id", "sessionId", "masterId"] as const;

const SIZES = [1, 2, 3, 5, 17, 60];

/** Selects which of `size` calls are ann's, by their index. */
const SEEN: Readonly<Record<string, (index: number, size: number) => boolean>> = {
  none: () => false,
  all: () => true,
  first: (index) => index === 0,
  last: (index, size) => index === size - 1,
  some: (index) => index % 3 === 1,
};

const DAY_MS = 86_400_000;

const group = fc.record({
  name: fc.constantFrom(...NAMES),
  kind: fc.constantFrom(...KINDS),
  size: fc.constantFrom(...SIZES),
  seen: fc.constantFrom(...Object.values(SEEN)),
  // Between one call and the next; undefined for calls without a datetime.
  stepMs: fc.constantFrom(1_000, 10 * DAY_MS, undefined),
  isOneAgent: fc.boolean(),
});

type Group = typeof group extends fc.Arbitrary<infer T> ? T : never;

export function describeLookUpModel(create: CreateStore, extent: Extent): void {
  test("records, recordings and chats are those of the model", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(group, { minLength: 3, maxLength: 6 }), (groups) =>
        expectLookUps(create, groups),
      ),
      // Each run makes an archive.
      toRuns(15, extent),
    );
  });
}

async function expectLookUps(create: CreateStore, groups: readonly Group[]): Promise<void> {
  const store = await create();
  const media = await store.media.put({ name: "a.wav", content: Buffer.from("sound") });
  const items = groups.flatMap((one, index) => toCalls(one, index, media));
  const names = new Set(groups.map(({ name }) => name));
  await fill(
    store,
    Array.from(names, (name) => ({ kind: "chat", record: message(name, name, NOW) })),
  );
  // Values cached from the first half must still be right after the second.
  for (const share of [0.5, 1]) {
    const imported = items.slice(0, Math.ceil(items.length * share));
    await fill(store, imported);
    for (const name of [...names, "none"])
      for (const visibility of VISIBILITIES)
        await expectName(store, { name, visibility, items: imported });
  }
  await close(store);
}

const NOW = "2025-05-01T10:00:00Z";

/** Each has its own number, in `lead_id` and in the name of its recording. */
function toCalls(
  { name, kind, size, seen, stepMs, isOneAgent }: Group,
  number: number,
  media: Awaited<ReturnType<CallStore["media"]["put"]>>,
): CallItem[] {
  return Array.from({ length: size }, (_, index) => {
    const lead_id = String(1_000 * number + index);
    // No two have the same instant.
    const atMs = Date.UTC(2015, 0, 1 + number) + index * (stepMs ?? 0);
    const fields = {
      lead_id,
      agent: seen(index, size) ? "Ann" : `bob ${isOneAgent ? 3 : index}`,
      skill: index % 5 === 4 ? null : "s",
      datetime: stepMs === undefined ? null : new Date(atMs).toISOString(),
    };
    const ids = { ref_id: lead_id, ...(isOfRecord(kind) && { [kind]: name }) };
    // Every fourth recording has its own start, before all others.
    const startMs = index % 4 === 3 ? Date.UTC(2014, 0, 1 + number) - index : undefined;
    const recordings = [{ filename: `${lead_id}.wav`, startMs, media }];
    // With an identity: otherwise calls of one instant would be a single one.
    const extras = { recordings, ...(kind === "call_id" && { identity: [lead_id] }) };
    return call({ ...fields, ...ids }, { ...extras, ...(!isOfRecord(kind) && { [kind]: name }) });
  });
}

const isOfRecord = (kind: Group["kind"]) => kind === "call_id" || kind === "ref_id";

interface Asked {
  readonly name: string;
  readonly visibility: Visibility;
  readonly items: readonly CallItem[];
}

async function expectName({ calls }: CallStore, { name, visibility, items }: Asked): Promise<void> {
  const seen = model(items, visibility);
  const called = seen.filter(({ record }) => record.call_id === name);
  const referenced = seen.filter(({ record, sessionId, masterId }) =>
    [record.ref_id, sessionId, masterId].includes(name),
  );
  const toNumbers = (found: readonly CallItem[]) => found.map(({ record }) => record.lead_id);
  const toFiles = (found: readonly CallItem[]) =>
    toNumbers(found.toSorted((a, b) => toStartMs(a) - toStartMs(b))).map(
      (number) => `${number}.wav`,
    );

  const records = await calls.byCallId(name, visibility);
  expect(records.map(({ lead_id }) => lead_id)).toEqual(toNumbers(called));
  const byReference = await calls.byReference(name, visibility);
  expect(byReference.map(({ lead_id }) => lead_id)).toEqual(toNumbers(referenced));
  const heard = await calls.recordings({ callId: name }, visibility);
  expect(heard.map(({ filename }) => filename)).toEqual(toFiles(called));
  const heardByReference = await calls.recordings({ reference: name }, visibility);
  expect(heardByReference.map(({ filename }) => filename)).toEqual(toFiles(referenced));
  const isChatSeen = name !== "none" && (visibility === "everything" || called.length > 0);
  expect(await calls.chat(name, visibility)).toHaveLength(isChatSeen ? 1 : 0);
}

/** D17; each call has one recording. */
const toStartMs = ({ record: { datetime }, recordings }: CallItem): number =>
  recordings[0]?.startMs ?? (datetime === null ? Number.MAX_VALUE : Date.parse(datetime));

/** The visible records, in the order of D09: newest first, those without a datetime last. */
function model(items: readonly CallItem[], visibility: Visibility): readonly CallItem[] {
  return items
    .filter(({ record }) =>
      listRestrictions(visibility).every(({ field, allowed }) =>
        allowed.includes(String(record[field]).toLowerCase()),
      ),
    )
    .toSorted((a, b) => (b.record.datetime ?? "").localeCompare(a.record.datetime ?? ""));
}
