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

/** `toUrl`: what the service takes a request for. */
function start(calls: readonly FakeCall[], toUrl: (asked: Asked) => string = ({ url }) => url) {
  const service = createFakeService({ calls });
  const { fetch, ...options } = service.clientOptions;
  const client = createClient({
    ...options,
    fetch: (url, init) => fetch(toUrl({ method: init?.method, url }), init),
  });
  const hear = async (record: CallRecord, number?: number) => {
    const wanted = await client.recordings.find({ record, number });
    return toText((await client.recordings.bytes(wanted)).content);
  };
  /** What is heard of each recording of each record, or the code of the error. */
  async function hearAll(): Promise<string[]> {
    const all: string[] = [];
    for (const record of await client.getMetadataByCallId({ call_id: "77" }))
      for (const index of toRecordingNames(record.recordings).keys())
        all.push(await hear(record, index + 1).catch(({ code }: { code: string }) => code));
    return all;
  }
  const listSent = () =>
    service.requests
      .filter(({ operationId }) => operationId !== "createToken")
      .map(({ method, url }) => `${method} ${url.slice(service.baseUrl.length)}`);
  return { client, hear, hearAll, listSent };
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
  expect(wanted).toEqual({ ref_id: "R", part: 3 });
  expect(listSent()).toEqual([
    "GET /metadata/by-reference/R",
    "HEAD /recording/stream-by-reference/R?part=3",
  ]);
});

test.each<[string, readonly string[], readonly (string | null)[], readonly string[]]>([
  ["one name and two references", ["a.wav"], ["r1", "r2"], ["bo 1", "ana 1"]],
  ["one name and no reference", ["a.wav"], [], [AMBIGUOUS, AMBIGUOUS]],
  ["one name and one reference", ["a.wav"], ["r", "r"], [AMBIGUOUS, AMBIGUOUS]],
  ["one name, and a reference of one alone", ["a.wav"], ["r1", null], [AMBIGUOUS, "ana 1"]],
  ["a name twice", ["a", "b", "a"], ["r1", "r2"], "bo 1,bo 2,bo 3,ana 1,ana 2,ana 3".split(",")],
])("of two records with %s, none gets the other's", async (_, names, refs, heard) => {
  expect(await start(toLegs(names, refs)).hearAll()).toEqual(heard);
});

test("a reference may be the session of another record", async () => {
  const [ana, bo] = toLegs(["a.wav"], ["r1", "r2"]);
  const calls = [{ ...ana }, { ...bo, references: ["r1"] as const }];
  expect(await start(calls).hearAll()).toEqual(["bo 1", AMBIGUOUS]);
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
  expect(await start(calls, toTurned).hearAll()).toEqual(["bo x", "bo y", "ana x", "ana y"]);
});

test("equal recordings hide none behind them", async () => {
  const twice = toRecording("hold.wav", "silence");
  const calls = [{ call_id: "77", recordings: [twice, twice, toRecording("talk.wav")] }];
  const { client, hearAll } = start(calls);
  expect(await hearAll()).toEqual(["silence", "silence", "talk.wav"]);
  const wanted = await client.recordings.find({ call_id: "77", filename: "talk.wav" });
  expect(wanted).toEqual({ call_id: "77", part: 3 });
});

test("20 recordings cost at most 20 HEAD requests", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `p${index}.wav`);
  const byName = start([{ call_id: "77", recordings: names.map((name) => toRecording(name)) }]);
  for (const filename of names) await byName.client.recordings.find({ call_id: "77", filename });
  const byRecord = start(toLegs(names.slice(10), ["r1", "r2"]));
  expect(await byRecord.hearAll()).toHaveLength(20);
  for (const { listSent } of [byName, byRecord])
    expect(listSent().filter((one) => one.startsWith("HEAD"))).toHaveLength(20);
});

test("what seems to be a name may be the rest of the one before it", async () => {
  const recordings = ["x; y.wav", "z.wav"].map((name) => toRecording(name));
  const { client, hearAll } = start([{ call_id: "77", recordings }]);
  expect(await hearAll()).toEqual(["x; y.wav", "CLIENT_REST_OF_NAME", "z.wav"]);
  const wanted = await client.recordings.find({ call_id: "77", filename: "z.wav" });
  expect(wanted).toEqual({ call_id: "77", part: 2 });
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
  expect(await start(toLegs(["a", "b"], ["r1", "r2"]), ignore).hearAll()).toEqual(heard);
  const none = Array<string>(4).fill(AMBIGUOUS);
  expect(await start(toLegs(["a", "a"], ["r1", "r2"]), ignore).hearAll()).toEqual(none);
});

test("a service may know no HEAD", async () => {
  const refuse = ({ method, url }: Asked) =>
    method === "HEAD" ? url.replace(/\?|$/, "/x$&") : url;
  const heard = ["bo 1", "bo 2", "ana 1", "ana 2"];
  expect(await start(toLegs(["a", "b"], ["r1", "r2"]), refuse).hearAll()).toEqual(heard);
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

test("of a service that sends no names, a record has what only it can have", async () => {
  const find = async (...records: object[]) => {
    const { client } = await openListing(records, (response) => response.writeHead(200).end());
    return await client.recordings.find(findSecond);
  };
  expect(await find(LEG)).toEqual({ call_id: "7", part: 2 });
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
  const headers = { "Content-Disposition": 'attachment; filename="7-0001.wav"' };
  const { client } = await openListing([LEG], (response) => response.writeHead(200, headers).end());
  expect(await client.recordings.find(findSecond)).toEqual({ call_id: "7", part: 2 });
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
])("of the names %j, with %j of the service, are %j", (names, given, joined) => {
  expect(rejoinNames(names, given)).toEqual(joined);
});
