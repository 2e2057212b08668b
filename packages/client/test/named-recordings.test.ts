// The recordings of a record among those of its call, which other records share.
import { createFakeService, type FakeCall } from "@call-media/testing";
import { expect, test } from "vitest";

import {
  type CallRecord,
  createClient,
  NotFoundError,
  ProtocolError,
  toRecordingNames,
} from "../src/index.ts";
import { platformClock as systemClock } from "../src/clock.ts";
import { rejoinNames } from "../src/recordings/recording-names.ts";
import { failureOf, openService, sendFailure, sendSuccess } from "./service.ts";

const toBytes = (text: string) => new TextEncoder().encode(text);
const toText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const toRecording = (filename: string, text = filename) => ({ filename, bytes: toBytes(text) });

/** A call that was transferred: the service numbers the recordings of both records by their start. */
const transferred = [
  {
    call_id: "7",
    ref_id: "R",
    agent: "ben",
    datetime: "2026-03-02T10:05:00Z",
    recordings: [toRecording("ben.wav")],
  },
  {
    call_id: "7",
    ref_id: "R",
    agent: "ana",
    datetime: "2026-03-02T10:00:00Z",
    recordings: [toRecording("ana 1;2.wav"), toRecording("ana 3.wav")],
  },
];

/** Two records of a call, of which each has recordings of these names. */
const toLegs = (names: readonly string[], refs: readonly (string | null)[]): FakeCall[] =>
  ["ana", "bo"].map((agent, index) => ({
    call_id: "77",
    ref_id: refs[index] ?? null,
    agent,
    datetime: `2026-11-24T10:0${5 * index}:00Z`,
    recordings: names.map((name, at) => toRecording(name, `${agent} ${at + 1}`)),
  }));

interface Asked {
  readonly method: string | undefined;
  readonly url: string;
}

interface Change {
  /** What the service takes a request for. */
  readonly toUrl?: (asked: Asked) => string;
  /** Its header that says whose a recording is; undefined: none. Default: its own. */
  readonly toOwner?: (own: string) => string | undefined;
}

const SILENT: Change = { toOwner: () => undefined };

function start(
  calls: readonly FakeCall[],
  { toUrl = ({ url }) => url, toOwner = (own) => own }: Change = {},
) {
  let service = createFakeService({ calls });
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  let aheadMs = 0;
  const client = createClient({
    ...service.clientOptions,
    clock,
    fetch: async (url, init) => {
      const response = await service.fetch(toUrl({ method: init?.method, url }), init);
      const headers = new Headers(response.headers);
      const owner = toOwner(headers.get("Recording-Of") ?? "");
      headers.delete("Recording-Of");
      if (owner) headers.set("Recording-Of", owner);
      return new Response(response.body, { status: response.status, headers });
    },
  });
  const hear = async (record: CallRecord, number?: number) => {
    const wanted = await client.recordings.find({ record, number });
    return toText((await client.recordings.bytes(wanted)).content);
  };
  const list = (call_id = "77") => client.getMetadataByCallId({ call_id });
  /** What is heard of each recording of each record, or the code of the error. */
  async function hearAll(): Promise<string[]> {
    const all: string[] = [];
    for (const record of await list())
      for (const index of toRecordingNames(record.recordings).keys())
        all.push(await hear(record, index + 1).catch(({ code }: { code: string }) => code));
    return all;
  }
  const listSent = () =>
    service.requests
      .filter(({ operationId }) => operationId !== "createToken")
      .map(({ method, url }) => `${method} ${url.slice(service.baseUrl.length)}`);
  const countHeads = () => listSent().filter((one) => one.startsWith("HEAD")).length;
  /** The archive is another from now on. */
  const replace = (now: readonly FakeCall[]) => (service = createFakeService({ calls: now }));
  const wait = (ms: number) => (aheadMs += ms);
  return { client, hear, list, hearAll, listSent, countHeads, replace, wait };
}

const AMBIGUOUS = "CLIENT_AMBIGUOUS_RECORDING";

test("find gives each record of a call its own recordings", async () => {
  const { client } = start(transferred);
  const heard: string[][] = [];
  for (const { agent, recordings } of await client.getMetadataByCallId({ call_id: "7" }))
    for (const filename of toRecordingNames(recordings)) {
      const wanted = await client.recordings.find({ call_id: "7", filename });
      const { content } = await client.recordings.bytes(wanted);
      heard.push([String(agent), toText(content)]);
    }
  expect(heard).toEqual([
    ["ben", "ben.wav"],
    ["ana", "ana 1;2.wav"],
    ["ana", "ana 3.wav"],
  ]);
});

test("find works by reference, and asks little", async () => {
  const { client, listSent } = start(transferred);
  const wanted = await client.recordings.find({ ref_id: "R", filename: "ben.wav" });
  expect(wanted).toMatchObject({ ref_id: "R", part: 3 });
  await client.recordings.find({ ref_id: "R", filename: "ana 3.wav" });
  expect(listSent()).toEqual([
    "GET /metadata/by-reference/R",
    "HEAD /recording/stream-by-reference/R",
    "HEAD /recording/stream-by-reference/R?part=2",
    "HEAD /recording/stream-by-reference/R?part=3",
  ]);
});

const SIX = "bo 1,bo 2,bo 3,ana 1,ana 2,ana 3".split(",");

test.each<
  [string, readonly string[], readonly (string | null)[], readonly string[], readonly string[]]
>([
  ["one name, two references", ["a.wav"], ["r1", "r2"], ["bo 1", "ana 1"], ["bo 1", "ana 1"]],
  ["one name, no reference", ["a.wav"], [], ["bo 1", "ana 1"], [AMBIGUOUS, AMBIGUOUS]],
  ["one name, one reference", ["a.wav"], ["r", "r"], ["bo 1", "ana 1"], [AMBIGUOUS, AMBIGUOUS]],
  [
    "one name, one with a reference",
    ["a.wav"],
    ["r1", null],
    ["bo 1", "ana 1"],
    [AMBIGUOUS, "ana 1"],
  ],
  ["a name twice, two references", ["a", "b", "a"], ["r1", "r2"], SIX, SIX],
  ["a name twice, one reference", ["a", "b", "a"], ["r", "r"], SIX, Array(6).fill(AMBIGUOUS)],
  ["any text for a reference", ["a.wav"], ['"; Ü', '", =%"'], ["bo 1", "ana 1"], ["bo 1", "ana 1"]],
])(
  "of two records with %s, each has its own: the service says whose it is, or does not",
  async (_, names, refs, said, unsaid) => {
    expect(await start(toLegs(names, refs)).hearAll()).toEqual(said);
    expect(await start(toLegs(names, refs), SILENT).hearAll()).toEqual(unsaid);
  },
);

test.each(["..", ".", "%2e%2e", ""])(
  "of a record with the call_id %j, which no path names, the reference gives the recording",
  async (call_id) => {
    const { client, hear } = start([{ call_id, ref_id: "R", recordings: [toRecording("a.wav")] }]);
    const heard: unknown[] = [];
    for (const record of await client.getMetadataByReference({ ref_id: "R" }))
      heard.push(record.call_id, await hear(record, 1));
    expect(heard).toEqual([call_id, "a.wav"]);
  },
);

test("a reference that no path names is not asked for", async () => {
  const calls = toLegs(["a.wav"], ["..", ".."]);
  const { hearAll, listSent } = start(calls);
  expect(await hearAll()).toEqual(["bo 1", "ana 1"]);
  expect(listSent().filter((one) => one.includes("reference"))).toEqual([]);
});

test("a name with the separator in it is one name, also of a record among several", async () => {
  const legs = toLegs(["x; y.wav", "z.wav"], ["r", "r"]);
  const rest = "CLIENT_REST_OF_NAME";
  expect(await start(legs).hearAll()).toEqual(["bo 1", rest, "bo 2", "ana 1", rest, "ana 2"]);
});

test("two records that nothing tells apart get nothing, and the error says what to do", async () => {
  const at = { datetime: "2026-11-24T10:00:00Z" };
  const { client, hearAll, list } = start(
    toLegs(["a.wav"], ["r", "r"]).map((leg) => ({ ...leg, ...at })),
  );
  expect(await hearAll()).toEqual([AMBIGUOUS, AMBIGUOUS]);
  const [record] = await list();
  const failure = await failureOf(client.recordings.of(record as CallRecord));
  expect(failure).toMatchObject({
    code: AMBIGUOUS,
    message:
      "Nothing tells whose the recording is: records of the call share its name, reference and datetime. " +
      "Ask for the recordings of the call by part",
  });
});

test.each([
  ["of another form", (own: string) => own.replaceAll('%"', '"')],
  ["cut off", (own: string) => own.slice(0, -1)],
  ["not UTF-8", (own: string) => own.replace('=%"', '=%"%ff')],
])("a header %s says nothing", async (_, toOwner) => {
  expect(await start(toLegs(["a.wav"], []), { toOwner }).hearAll()).toEqual([AMBIGUOUS, AMBIGUOUS]);
});

test("of() returns the recordings of a record, with their announced facts", async () => {
  const { client, list } = start(transferred);
  const [ben, ana] = await list("7");
  const owner = { call_id: "7", ref_id: "R", datetime: "2026-03-02T10:00:00Z" };
  expect(await client.recordings.of(ana as CallRecord)).toMatchObject([
    { number: 1, filename: "ana 1;2.wav", bytes: 11, owner, wanted: { call_id: "7", owner } },
    { number: 2, filename: "ana 3.wav", bytes: 9, owner, wanted: { call_id: "7", part: 2, owner } },
  ]);
  expect(await client.recordings.of(ben as CallRecord)).toMatchObject([
    { number: 1, wanted: { call_id: "7", part: 3 } },
  ]);
  expect(await client.recordings.of({ ...(ben as CallRecord), recordings: null })).toEqual([]);
});

test("a recording of a kind that may not be heard does not hide the others", async () => {
  const recordings = ["a.wav", "b.exe", "c.wav"].map((name) => toRecording(name));
  const users = [{ id: 1, allow_all_download_doc_type: false, allowed_download_doc_type: ["wav"] }];
  const service = createFakeService({ calls: [{ call_id: "77", recordings }], users });
  const client = createClient(service.clientOptions);
  const [record] = await client.getMetadataByCallId({ call_id: "77" });
  const own = await client.recordings.of(record as CallRecord);
  const heard = own.map(({ wanted }) =>
    client.recordings.bytes(wanted).then(
      ({ content }) => toText(content),
      ({ status }) => status,
    ),
  );
  expect(await Promise.all(heard)).toEqual(["a.wav", 403, "c.wav"]);
});

test("a recording that has become another record's is not given, and is found again", async () => {
  const legs = toLegs(["a.wav"], ["r", "r"]);
  const { client, hear, list, replace } = start(legs);
  const [bo] = await list();
  const wanted = await client.recordings.find({ record: bo as CallRecord });
  replace([...legs, { ...legs[0], agent: "eve", datetime: "2026-11-24T10:01:00Z" }]);
  const failure = await failureOf(client.recordings.bytes(wanted));
  expect(failure).toMatchObject({ name: "NotFoundError", code: "CLIENT_RECORD_CHANGED" });
  expect(await hear(bo as CallRecord)).toBe("bo 1");
});

test("cached facts of a call are requested again after a minute, or for a new record", async () => {
  const legs = toLegs(["a.wav"], ["r", "r"]);
  const { hearAll, countHeads, replace, wait } = start(
    legs
      .slice(0, 1)
      .concat(
        legs.slice(0, 1).map((leg) => ({ ...leg, agent: "x", datetime: "2026-11-24T09:00:00Z" })),
      ),
  );
  await hearAll();
  const before = countHeads();
  await hearAll();
  expect(countHeads()).toBe(before);
  wait(60_001);
  await hearAll();
  expect(countHeads()).toBe(2 * before);
  replace(legs);
  expect(await hearAll()).toEqual(["bo 1", "ana 1"]);
});

test("aborting one lookup does not abort another", async () => {
  const { client, list } = start(toLegs(["a.wav"], ["r", "r"]));
  const record = (await list())[0] as CallRecord;
  const stopped = new AbortController();
  const first = failureOf(client.recordings.of(record, { signal: stopped.signal }));
  const second = client.recordings.of(record);
  stopped.abort();
  expect(await first).toMatchObject({ name: "AbortError" });
  expect(await second).toHaveLength(1);
});

test("a name that two recordings have is an error, never the first", async () => {
  for (const calls of [toLegs(["a.wav"], ["r1", "r2"]), toLegs(["a.wav", "a.wav"], []).slice(1)]) {
    const { client } = start(calls);
    const failure = await failureOf(client.recordings.find({ call_id: "77", filename: "a.wav" }));
    expect(failure).toMatchObject({ name: "InvalidRequestError", code: AMBIGUOUS });
  }
});

test("a name that one record has is found, however the service counts the recordings", async () => {
  const calls = toLegs([], []).map((leg) => ({
    ...leg,
    recordings: ["x", "y"].map((end) => toRecording(`${leg.agent} ${end}`)),
  }));
  const toTurned = ({ url }: Asked) =>
    url.includes("/recording/")
      ? `${url.replace(/\?.*/, "")}?part=${5 - Number(/part=(\d+)/.exec(url)?.[1] ?? 1)}`
      : url;
  expect(await start(calls, { ...SILENT, toUrl: toTurned }).hearAll()).toEqual([
    "bo x",
    "bo y",
    "ana x",
    "ana y",
  ]);
});

test("equal recordings hide none behind them", async () => {
  const twice = toRecording("hold.wav", "silence");
  const calls = [{ call_id: "77", recordings: [twice, twice, toRecording("talk.wav")] }];
  const { client, hearAll } = start(calls);
  expect(await hearAll()).toEqual(["silence", "silence", "talk.wav"]);
  const wanted = await client.recordings.find({ call_id: "77", filename: "talk.wav" });
  expect(wanted).toMatchObject({ call_id: "77", part: 3 });
});

test("20 recordings cost at most 20 HEAD requests", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `p${index}.wav`);
  const byName = start([{ call_id: "77", recordings: names.map((name) => toRecording(name)) }]);
  for (const filename of names) await byName.client.recordings.find({ call_id: "77", filename });
  const byRecord = ["r", "r2"].map((ref) => start(toLegs(names.slice(10), ["r", ref])));
  for (const { hearAll } of byRecord) expect(await hearAll()).toHaveLength(20);
  for (const { countHeads } of [byName, ...byRecord]) expect(countHeads()).toBe(20);
});

test("a listed name may be the rest of the name before it", async () => {
  const recordings = ["x; y.wav", "z.wav"].map((name) => toRecording(name));
  const { client, hearAll } = start([{ call_id: "77", recordings }]);
  expect(await hearAll()).toEqual(["x; y.wav", "CLIENT_REST_OF_NAME", "z.wav"]);
  const wanted = await client.recordings.find({ call_id: "77", filename: "z.wav" });
  expect(wanted).toMatchObject({ call_id: "77", part: 2 });
});

test("a record that has changed, or is erased, gets no recording of another", async () => {
  const [ana, bo] = toLegs(["a.wav"], []);
  const [record] = await start([{ ...ana }]).client.getMetadataByCallId({ call_id: "77" });
  const failure = await failureOf(start([{ ...bo }]).hear(record as CallRecord));
  expect(failure).toMatchObject({ name: "NotFoundError", code: "CLIENT_RECORD_CHANGED" });
});

test("a service that ignores part gives no recording twice", async () => {
  const ignore = ({ url }: Asked) => url.replace(/\?part=.*/, "");
  const heard = ["bo 1", "HTTP_404", "ana 1", "HTTP_404"];
  const change = { ...SILENT, toUrl: ignore };
  expect(await start(toLegs(["a", "b"], ["r1", "r2"]), change).hearAll()).toEqual(heard);
  const none = Array<string>(4).fill(AMBIGUOUS);
  expect(await start(toLegs(["a", "a"], ["r1", "r2"]), change).hearAll()).toEqual(none);
});

test("a service may know no HEAD", async () => {
  const refuse = ({ method, url }: Asked) =>
    method === "HEAD" ? url.replace(/\?|$/, "/x$&") : url;
  const heard = ["bo 1", "bo 2", "ana 1", "ana 2"];
  const change = { ...SILENT, toUrl: refuse };
  expect(await start(toLegs(["a", "b"], ["r1", "r2"]), change).hearAll()).toEqual(heard);
});

test("a name that no recording of the call has is not found", async () => {
  const { client } = start(transferred);
  const failure = await failureOf(client.recordings.find({ call_id: "7", filename: "eve.wav" }));
  expect(failure).toBeInstanceOf(NotFoundError);
  expect(failure).toMatchObject({ message: "The call has no recording of this name", status: 404 });
});

test("a call without recordings is not found as by any other request", async () => {
  const { client } = start([{ call_id: "8" }]);
  const failure = await failureOf(client.recordings.find({ call_id: "8", filename: "eve.wav" }));
  expect(failure).toMatchObject({ name: "NotFoundError", code: "CM_RECORDING_UNKNOWN" });
});

test("a record without an identifier is refused", async () => {
  const failure = await failureOf(start([]).hear({ recordings: "a.wav" } as CallRecord));
  expect(failure).toMatchObject({ name: "InvalidRequestError", code: "CLIENT_INVALID_REQUEST" });
});

/** A service that lists these records, and answers requests for recordings as a test says. */
const openListing = (records: readonly object[], answer: Parameters<typeof openService>[0]) =>
  openService((response, asked) =>
    asked.url.startsWith("/metadata/") ? sendSuccess(response, records) : answer(response, asked),
  );

const LEG = { call_id: "7", agent: "ana", recordings: "a.wav; b.wav" };
const findSecond = { record: LEG as unknown as CallRecord, number: 2 };

test("without names from the service, a record gets only recordings that no other can have", async () => {
  const find = async (...records: object[]) => {
    const { client } = await openListing(records, (response, { url }) =>
      url.includes("part=10000") ? sendFailure(response, 404, "No") : response.writeHead(200).end(),
    );
    return await client.recordings.find(findSecond);
  };
  expect(await find(LEG)).toMatchObject({ call_id: "7", part: 2 });
  const failure = await failureOf(find(LEG, { ...LEG, agent: "bo", recordings: "c.wav" }));
  expect(failure).toMatchObject({ code: AMBIGUOUS });
});

test("a service that sends no names says so", async () => {
  const { client } = await openListing([], (response) => response.writeHead(200).end());
  const failure = await failureOf(client.recordings.find({ call_id: "7", filename: "b.wav" }));
  expect(failure).toBeInstanceOf(ProtocolError);
  expect(failure).toMatchObject({ message: "The service sends no names of recordings: use part" });
});

test("a recording that the service names otherwise than the record has its number", async () => {
  const { client } = await openListing([LEG], (response, { url }) =>
    response
      .writeHead(200, { "Content-Disposition": `attachment; filename="7-${url.slice(-1)}.wav"` })
      .end(),
  );
  expect(await client.recordings.find(findSecond)).toMatchObject({ call_id: "7", part: 2 });
});

test("another failure than 404 is not taken for the end", async () => {
  const first = { "Content-Disposition": 'attachment; filename="a.wav"' };
  const { client } = await openListing([LEG], (response, { url }) =>
    url.includes("part=2")
      ? sendFailure(response, 403, "No")
      : response.writeHead(200, first).end(),
  );
  const failure = await failureOf(client.recordings.find({ call_id: "7", filename: "b.wav" }));
  expect(failure).toMatchObject({ name: "PermissionError", status: 403 });
});

// A list of names does not tell a name with the separator in it from two.
test.each([
  [["a", "b", "c"], ["b; c"], ["a", "b; c", undefined]],
  [
    ["a", "b", "a", "b"],
    ["a", "b", "a; b"],
    ["a", "b", "a; b", undefined],
  ],
  [
    ["a", "b"],
    ["b; c", undefined, "a"],
    ["a", "b"],
  ],
  [["a", "a", "b", "b"], ["a; b"], ["a", "a; b", undefined, "b"]],
  [
    ["a", "b", "a", "b"],
    ["a; b", "a; b"],
    ["a; b", undefined, "a; b", undefined],
  ],
])("the listed names %j, with the service's names %j, are joined to %j", (names, given, joined) => {
  expect(rejoinNames(names, given)).toEqual(joined);
});
