// Searches by words (D30) find the same as the model of @call-media/words, for any texts, query and rights.
import { matches, parseQuery, type Query, QueryFault, toSearched } from "@call-media/words";
import { SAMPLES } from "@call-media/words/samples";
import * as fc from "fast-check";
import { expect, test, type TestContext } from "vitest";
import type { ArchiveItem, CallSearch, CallStore, MetadataRecord, Visibility } from "../index.ts";
import { listRestrictions } from "../values/visibility.ts";
import { PAGE_SIZE } from "../values/page-size.ts";
import { call, fill, message, query } from "./records.ts";
import { close, type CreateStore, type Extent, toRuns } from "./stores.ts";

export function describeWords(create: CreateStore, extent: Extent): void {
  const open = async ({ skip }: Pick<TestContext, "skip">): Promise<CallStore> => {
    const store = await create();
    if (store.hasWordSearch !== true) skip("this adapter does not search by words");
    return store;
  };

  test("finds what the examples of D30 say, and no more", async (context) => {
    const store = await open(context);
    await fill(
      store,
      SAMPLES.map(({ text, isNumber }, index) =>
        call({
          datetime: AT,
          agent: `agent ${index}`,
          ...(isNumber ? { dnis: text } : { notes: text }),
        }),
      ),
    );
    const expected = SAMPLES.map(({ isFound }) => Number(isFound));
    const found: (number | undefined)[] = [];
    for (const [index, sample] of SAMPLES.entries()) {
      const filter = { agent: `agent ${index}` };
      const words = parseQuery(sample.query);
      found.push((await store.calls.search(query({ filter, words }))).recordCount);
    }
    expect(found).toEqual(expected);
  });

  test("pages, counts and rights are those of the model", async (context) => {
    await open(context);
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 60, maxLength: 130 }),
        fc.array(fc.tuple(typed, visibility, filter), { minLength: 40, maxLength: 40 }),
        async (items, questions) => {
          const store = await create();
          const calls = items.map((given, index) => ({ ...given, call_id: `c${index % 100}` }));
          await fillInParts(store, calls);
          for (const [text, seen, asked] of questions) {
            const words = tryParse(text);
            if (words === undefined) continue;
            const search = { words, visibility: seen, filter: asked, endDate: LAST_DAY };
            await expectModel(store, calls, search);
          }
          await close(store);
        },
      ),
      toRuns(4, extent),
    );
  });

  test("a chat is found with its call, whichever comes first", async (context) => {
    const store = await open(context);
    const find = toFinder(store);
    const chat = (of: string, text: string): ArchiveItem => ({
      kind: "chat",
      record: message(of, text, AT),
    });
    await fill(store, [chat("early", "a réfund"), chat("early", "of the bill")]);
    await fill(store, [
      call({ call_id: "early", datetime: AT, notes: "Leïla" }),
      call({ call_id: "both", datetime: AT, agent: "leg 1" }, { identity: ["1"] }),
      call({ call_id: "both", datetime: AT, agent: "leg 2" }, { identity: ["2"] }),
      call({ call_id: "late", datetime: AT }),
      chat("both", "refund"),
    ]);
    expect(await find("refund")).toEqual(["both", "both", "early"]);
    expect(await find("leila refund bill")).toEqual(["early"]);
    expect(await find('"refund of"')).toEqual([]);

    await fill(store, [chat("late", "refund")]);
    await fill(store, [chat("late", "refund"), chat("late", "twice"), chat("other", "refund")]);
    expect(await find("refund")).toEqual(["both", "both", "early", "late"]);
    expect(await find("refund twice")).toEqual(["late"]);

    // A record that is imported again keeps its chat, and loses the words that it no longer has.
    await fill(store, [call({ call_id: "early", datetime: AT, notes: "Ada" })]);
    expect(await find("leila")).toEqual([]);
    expect(await find("ada refund")).toEqual(["early"]);
  });

  test("an erased call is neither found nor counted, and its words are those of others only", async (context) => {
    const store = await open(context);
    const find = toFinder(store);
    await fill(store, [
      call({ call_id: "A", datetime: AT, notes: "early termination", ani: "6145550121" }),
      call({ call_id: "B", datetime: AT, notes: "early" }),
      { kind: "chat", record: message("A", "reimbursement", AT) },
    ]);
    await store.maintenance.erase({ callId: "A" }, { operator: "olive" });
    expect(await find("early")).toEqual(["B"]);
    for (const gone of ["termination", "term*", "reimbursement", "0121", '"early termination"'])
      expect(await find(gone)).toEqual([]);
    await fill(store, [call({ call_id: "C", datetime: AT, notes: "Termination" })]);
    expect(await find("term*")).toEqual(["C"]);
  });

  test("words of hidden calls are answered like words that nobody said", async (context) => {
    const store = await open(context);
    await fill(store, [
      call({ call_id: "A", datetime: AT, agent: "ann", notes: "refund", ani: "6145550121" }),
      call({ call_id: "B", datetime: AT, agent: "bob", notes: "bill" }),
      { kind: "chat", record: message("A", "refunded", AT) },
    ]);
    const visibility: Visibility = [{ field: "agent", allowed: ["bob"] }];
    for (const hidden of [
      "refund",
      "ref*",
      "re*",
      '"bill re*"',
      '"refund"',
      "0121",
      "refunded",
      "nobody said this",
    ]) {
      const words = parseQuery(hidden);
      const page = await store.calls.search(query({ words, visibility }));
      expect(page).toEqual({ records: [], hasNext: false, recordCount: 0, pageSize: PAGE_SIZE });
    }
    for (const found of ["bill", "bi*", "bil*"]) {
      const seen = await store.calls.search(query({ words: parseQuery(found), visibility }));
      expect(seen.recordCount).toBe(1);
    }
  });

  test("calls that are hidden change no answer, whatever is asked", async (context) => {
    await open(context);
    const shown = fc.array(item, { minLength: 90, maxLength: 110 });
    const hidden = fc.array(item, { minLength: 1, maxLength: 40 });
    const questions = fc.array(fc.tuple(typed, filter, fc.nat(2), fc.boolean()), {
      minLength: 30,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(shown, hidden, questions, async (seen, unseen, asked) => {
        const name = (kind: string, agent?: string) => (given: Given, index: number) => ({
          ...given,
          record: { ...given.record, ...(agent !== undefined && { agent }) },
          call_id: `${kind}${index}`,
        });
        const calls = seen.map(name("seen", "ann"));
        const [alone, among] = [await create(), await create()];
        await fillInParts(alone, calls);
        await fillInParts(among, [...unseen.map(name("hidden", "eve")), ...calls]);
        for (const [text, asks, pageIndex, isCounted] of asked) {
          const words = tryParse(text);
          if (words === undefined) continue;
          const search = query({
            words,
            filter: asks,
            pageIndex,
            isCounted,
            visibility: [{ field: "agent", allowed: ["ann"] }],
          });
          expect(await among.calls.search(search)).toEqual(await alone.calls.search(search));
        }
        await close(alone);
        await close(among);
      }),
      toRuns(4, extent),
    );
  });

  test("long texts, long words and many numbers", async (context) => {
    const store = await open(context);
    const find = toFinder(store);
    const long = `${"the quick brown fox ".repeat(3000)}end`;
    await fill(store, [
      call({ call_id: "A", datetime: AT, transcript: long, ani: "12345678901234567890" }),
      call({ call_id: "B", datetime: AT, notes: "x".repeat(100), ani: "22345678901234567890" }),
      call({ call_id: "C", datetime: AT, notes: "fox the", ani: "0120", dnis: "012" }),
    ]);
    expect(await find('"fox end"')).toEqual(["A"]);
    expect(await find('"fox the"')).toEqual(["A", "C"]);
    expect(await find("x".repeat(64))).toEqual(["B"]);
    for (const length of [3, 8, 9, 10, 20, 63, 64])
      expect(await find(`${"x".repeat(length)}*`)).toEqual(["B"]);
    for (const length of [8, 9, 10, 63]) expect(await find("x".repeat(length))).toEqual([]);
    expect(await find("345678901234567890")).toEqual(["A", "B"]);
    expect(await find("12345678901234567890")).toEqual(["A"]);
    expect(await find("+0120")).toEqual(["C"]);
    expect(await find("0012")).toEqual([]);
  });
}

const AT = "2025-05-01T10:00:00Z";
const LAST_DAY = "2025-05-02";

// Few parts: otherwise nothing would ever match. Together they make words, phrases, numbers and scripts without spaces.
const PARTS =
  "Leïla|LEILA's|re-fund|refund|Refunded|reimbursement|reimbursements|reimburse|straße|strasse|返金|返金して|金|ID返金|ขอเงินคืน|เงิน|don't|t|İi|ﬁx|fix|4471|12|٤٤٧١|😀|—|حُبّ|حب|が|ｶﾞ".split(
    "|",
  );
const NUMBERS =
  "6145550121|+16145550121|(614) 555-0121|06145550121|4471|9994471|sip:+49301234471@x|12|+44 (0)20 7946 4471 ext 12".split(
    "|",
  );
const part = fc.constantFrom(...PARTS).map(String);
const number = fc.constantFrom(...NUMBERS).map(String);
const text = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom(" ", " ", ", ", "", "\n"))
  .map(([parts, blank]) => parts.join(blank));
const typed = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: text },
      { weight: 1, arbitrary: number },
      { weight: 2, arbitrary: text.map((own) => `"${own}"`) },
    ),
    fc.constantFrom("", "", "", "*"),
  )
  .map(([own, star]) => own + star);
const visibility = fc.constantFrom<Visibility>(
  "everything",
  [{ field: "agent", allowed: ["ann", "ada"] }],
  [
    { field: "agent", allowed: ["bob", "ann"] },
    { field: "skill", allowed: ["s"] },
  ],
);
const filter = fc.constantFrom({}, {}, { agent: "ann" });
const some = fc.option(text, { freq: 2 });

/** A call and the messages of its chat. */
interface Given {
  readonly record: Partial<MetadataRecord>;
  readonly chat: readonly string[];
}

type Numbered = Given & { readonly call_id: string };

const item = fc.record({
  record: fc.record({
    agent: fc.constantFrom("ann", "bob", "ada", null),
    skill: fc.constantFrom("s", "t"),
    transcript: some,
    notes: some,
    disposition_notes: some,
    agent_name: some,
    customer_first_name: fc.option(part, { freq: 5 }),
    customer_last_name: fc.option(part, { freq: 5 }),
    company: some,
    ani: fc.option(number, { freq: 5 }),
    phone_number2: fc.option(number, { freq: 5 }),
    datetime: fc
      .integer({ min: 0, max: 3 * 24 * 60 })
      .map((minute) => new Date(Date.UTC(2025, 4, 1, 0, minute)).toISOString()),
  }),
  chat: fc.array(text, { maxLength: 2 }),
});

function tryParse(typedText: string): Query | undefined {
  try {
    return parseQuery(typedText);
  } catch (error) {
    if (error instanceof QueryFault) return undefined;
    throw error;
  }
}

/** In several imports, the chats before, with and after their calls; the last calls share call_ids with the first. */
async function fillInParts(store: CallStore, calls: readonly Numbered[]): Promise<void> {
  const items = calls.map(({ record, call_id }, index) =>
    call({ ...record, call_id }, { identity: [String(index)] }),
  );
  const chats = calls.flatMap(({ call_id, chat }) =>
    chat.map((own): ArchiveItem => ({ kind: "chat", record: message(call_id, own, AT) })),
  );
  const third = Math.ceil(chats.length / 3);
  const half = Math.ceil(items.length / 2);
  await fill(store, chats.slice(0, third));
  await fill(store, items.slice(0, half));
  await fill(store, [...items.slice(half), ...chats.slice(third, 2 * third)]);
  await fill(store, chats.slice(2 * third));
}

async function expectModel(
  store: CallStore,
  calls: readonly Numbered[],
  asked: Pick<CallSearch, "visibility" | "filter" | "endDate"> & { readonly words: Query },
): Promise<void> {
  const expected = model(calls, asked);
  for (let pageIndex = 0; pageIndex * PAGE_SIZE <= expected.length; pageIndex += 1) {
    const page = await store.calls.search(query({ ...asked, pageIndex }));
    const first = pageIndex * PAGE_SIZE;
    // Calls of one instant have their own order (D09).
    expect(page.records.map(({ datetime }) => datetime)).toEqual(
      expected.slice(first, first + PAGE_SIZE).map(({ record }) => record.datetime),
    );
    expect(page.recordCount).toBe(expected.length);
    expect(page.hasNext).toBe(expected.length > first + PAGE_SIZE);
  }
  const alone = await store.calls.search(query({ ...asked, isCounted: false }));
  expect(alone.hasNext).toBe(expected.length > PAGE_SIZE);
}

function model(
  calls: readonly Numbered[],
  {
    words,
    visibility: seen,
    filter: { agent },
    endDate,
  }: Omit<CallSearch, "startDate" | "pageIndex" | "isCounted">,
): readonly Numbered[] {
  return calls
    .filter(({ record }) => (record.datetime ?? "") < `${endDate}T24`)
    .filter(({ record }) => agent === undefined || record.agent === agent)
    .filter(({ record }) =>
      listRestrictions(seen).every(({ field, allowed }) => allowed.includes(String(record[field]))),
    )
    .filter(({ record, call_id }) => {
      const chat = calls
        .filter((other) => other.call_id === call_id)
        .flatMap((other) => other.chat);
      const messages = chat.map((own) => ({ transcript: own }));
      return matches(words ?? [], toSearched(record, messages));
    })
    .toSorted((a, b) => String(b.record.datetime).localeCompare(String(a.record.datetime)));
}

/** The call_ids of the calls found, in alphabetical order. */
function toFinder(store: CallStore) {
  return async (asked: string): Promise<string[]> => {
    const { records, recordCount } = await store.calls.search(query({ words: parseQuery(asked) }));
    expect(recordCount).toBe(records.length);
    return records.map(({ call_id }) => call_id ?? "").toSorted((a, b) => a.localeCompare(b));
  };
}
