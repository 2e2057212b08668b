// Searching by words: applied by the service, or filtered here and said so; never unfiltered.
import { expect, test } from "vitest";

import type { CallRecord } from "../src/index.ts";
import { createWordsFilter } from "../src/words/index.ts";
import { type Asked, listOf, openService, sendFailure, sendJson } from "./service.ts";

const days = { startDate: "2026-01-01", endDate: "2026-01-31", filter: {} };

const calls = [
  { call_id: "1", notes: "He wants a réfund for the bill." },
  { call_id: "2", notes: "A refund, and no more." },
  { call_id: "3", notes: null },
  { call_id: "4", customer_first_name: "Leïla", customer_last_name: "Benali" },
];

const chats: Readonly<Record<string, string>> = {
  "2": "Which bills are paid?",
  "3": "refund my bill",
  "4": "no",
};

const toUrl = ({ url }: Asked) => new URL(url, "http://x");
const preferOf = ({ headers }: Asked) => headers["prefer"];
const isSearch = ({ url }: Asked) => url.startsWith("/metadata/");

interface Differences {
  /** The header of an answer to a search with words. */
  readonly applied?: string;
  readonly refusesWords?: boolean;
  readonly chatStatus?: number;
}

/** A service that returns all calls, whatever the words are. */
function openArchive({ applied, refusesWords = false, chatStatus = 200 }: Differences = {}) {
  return openService((response, asked) => {
    const { pathname, searchParams } = toUrl(asked);
    if (pathname.startsWith("/chat/")) {
      const transcript = chats[pathname.split("/").at(-1) ?? ""] ?? "";
      const data = [{ transcript }];
      return chatStatus === 200
        ? sendJson(response, 200, { isError: false, data })
        : sendFailure(response, chatStatus, "No");
    }
    if (refusesWords && searchParams.has("words"))
      return sendFailure(response, 400, "words is not a parameter");
    if (applied !== undefined) response.setHeader("Preference-Applied", applied);
    const data = searchParams.get("pageIndex") === "0" ? calls : [];
    sendJson(response, 200, { isError: false, data, recordCount: 4 });
  });
}

const idsOf = async (found: AsyncIterable<{ call_id: string | null }>) =>
  (await listOf(found)).map(({ call_id }) => call_id);

test.each(["words", "count=exact, words", "words;v=1", "respond-async, Words"])(
  "words that the service says it applied (%s) are not filtered again",
  async (applied) => {
    const { client, asked } = await openArchive({ applied });
    const found = client.calls.byCustomFields({ ...days, words: "refund bill*" });
    expect(await idsOf(found)).toEqual(["1", "2", "3", "4"]);
    expect(found.report).toMatchObject({ words: "applied", rows: 4 });
    expect(found.report).not.toHaveProperty("chats");
    expect(asked[0]?.url).toContain("&words=refund%20bill*");
    expect(asked.map(preferOf)).toEqual(["count=exact, words", "words"]);
  },
);

test.each([undefined, "count=exact", "words-like", "unwords"])(
  "an answer that does not say it (%s) is an error, not an unfiltered answer",
  async (applied) => {
    const { client } = await openArchive(applied === undefined ? {} : { applied });
    const wanted = { ...days, words: "refund" };
    const error = {
      name: "ProtocolError",
      code: "CLIENT_WORDS_NOT_APPLIED",
      message: "The service does not search by words",
    };
    await expect(idsOf(client.calls.search(wanted))).rejects.toMatchObject(error);
    await expect(client.calls.search(wanted).page(0)).rejects.toMatchObject(error);
  },
);

test("without words nothing is sent or reported of them", async () => {
  const { client, asked } = await openArchive();
  const found = client.calls.byCustomFields(days);
  expect(await idsOf(found)).toHaveLength(4);
  expect(found.report.words).toBeUndefined();
  expect(asked.map(preferOf)).toEqual(["count=exact", undefined]);
  expect(asked.some(({ url }) => url.includes("words"))).toBe(false);
});

test("words that were not applied are filtered here, with as many chats as the caller allows", async () => {
  const { client, asked } = await openArchive();
  const search = (chatRequests: number, words = "refund bill*") =>
    client.calls.byCustomFields({
      ...days,
      words,
      filterWords: createWordsFilter({ chatRequests }),
    });

  const all = search(10);
  expect(await idsOf(all)).toEqual(["1", "2", "3"]);
  expect(all.report).toMatchObject({
    words: "filtered here",
    rows: 4,
    matches: 3,
    chats: { read: 3, skipped: 0, refused: 0 },
  });
  expect(asked.filter((one) => !isSearch(one))).toHaveLength(3);

  const none = search(0);
  expect(await idsOf(none)).toEqual(["1"]);
  expect(none.report).toMatchObject({ matches: 1, chats: { read: 0, skipped: 3 } });
  expect(await idsOf(search(0, "LEILA benali"))).toEqual(["4"]);
});

test("pages are filtered too, and have no count of the service", async () => {
  const { client } = await openArchive();
  const search = () =>
    client.calls.byCustomFields({ ...days, words: "leila", filterWords: createWordsFilter() });
  const page = await search().page(0);
  expect([page.records.map(({ call_id }) => call_id), page.total]).toEqual([["4"], undefined]);
  const pages = await listOf(search().pages());
  expect(pages.map(({ records }) => records.length)).toEqual([1]);
});

test.each([
  [403, { read: 3, skipped: 0, refused: 3 }],
  [404, { read: 3, skipped: 0, refused: 0 }],
])("a chat that is answered %i is counted, and the search goes on", async (chatStatus, counted) => {
  const { client } = await openArchive({ chatStatus });
  const filterWords = createWordsFilter({ chatRequests: 10 });
  const found = client.calls.byCustomFields({ ...days, words: "refund bill", filterWords });
  expect(await idsOf(found)).toEqual(["1"]);
  expect(found.report.chats).toEqual(counted);
});

test("a filter that keeps everything leaves the counts of the service unchanged", async () => {
  const { client } = await openArchive();
  const filterWords = (keepsAll: boolean) => () => ({
    keepsAll,
    chats: { read: 0, skipped: 0, refused: 0 },
    filter: async (records: readonly CallRecord[]) => records,
  });
  const read = (keepsAll: boolean) =>
    client.calls
      .byCustomFields({ ...days, words: "leila", filterWords: filterWords(keepsAll) })
      .page(0);
  expect((await read(true)).total).toBe(4);
  expect((await read(false)).total).toBeUndefined();
});

test("a service that refuses the parameter is asked with it once", async () => {
  const { client, asked } = await openArchive({ refusesWords: true });
  const search = () =>
    client.calls.byCustomFields({ ...days, words: "leila", filterWords: createWordsFilter() });
  expect(await idsOf(search())).toEqual(["4"]);
  expect(await idsOf(search())).toEqual(["4"]);
  expect(asked.filter(({ url }) => url.includes("words="))).toHaveLength(1);
  await expect(idsOf(client.calls.byCustomFields({ ...days, words: "x" }))).rejects.toMatchObject({
    code: "CLIENT_WORDS_NOT_APPLIED",
  });
});

test("words that the service knows, and refuses for being too broad, are not searched without it", async () => {
  const { client, asked } = await openService((response, { url }) => {
    response.setHeader("X-Error-Code", "CM_SEARCH_TOO_BROAD");
    if (url.includes("words=")) return sendFailure(response, 400, "give it a third one");
    return sendJson(response, 200, { isError: false, data: calls });
  });
  const wanted = { ...days, words: "re*", filterWords: createWordsFilter() };
  await expect(idsOf(client.calls.byCustomFields(wanted))).rejects.toMatchObject({
    name: "InvalidRequestError",
    code: "CM_SEARCH_TOO_BROAD",
    message: "give it a third one",
  });
  expect(asked.filter((one) => isSearch(one) && !one.url.includes("words="))).toEqual([]);
});

test("a refusal that is not about the words stays what it is", async () => {
  const { client } = await openService((response) => sendFailure(response, 400, "No such day"));
  const wanted = { ...days, words: "leila", filterWords: createWordsFilter() };
  await expect(idsOf(client.calls.byCustomFields(wanted))).rejects.toMatchObject({
    name: "InvalidRequestError",
    message: "No such day",
  });
});

test("words that are not a query are refused before a request", async () => {
  const { client, asked } = await openArchive();
  const search = () =>
    client.calls.search({ ...days, words: '"refund', filterWords: createWordsFilter() });
  expect(search).toThrow(new TypeError("words has a quotation mark that is not closed"));
  expect(asked).toEqual([]);
});

test("a cursor belongs to its words, and continues among what does not match", async () => {
  const { client } = await openArchive();
  const wanted = { ...days, words: "leila", filterWords: createWordsFilter() };
  const found = client.calls.byCustomFields(wanted);
  for await (const { call_id } of found) expect(call_id).toBe("4");
  const begun = client.calls.byCustomFields({ ...wanted, words: "refund" });
  for await (const { call_id } of begun) if (call_id === "1") break;
  const { cursor } = begun;
  const more = client.calls.byCustomFields({ ...wanted, words: "refund", cursor });
  expect(await idsOf(more)).toEqual(["2"]);
  expect(() => client.calls.byCustomFields({ ...wanted, cursor })).toThrow(
    "cursor must be of the same search",
  );
});
