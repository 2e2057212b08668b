// The recordings of a record among those of its call, which other records share.
import { createFakeService } from "@call-media/testing";
import { expect, test } from "vitest";

import { createClient, NotFoundError, ProtocolError, toRecordingNames } from "../src/index.ts";
import { failureOf, openService, sendFailure } from "./service.ts";

const toBytes = (text: string) => new TextEncoder().encode(text);
const toText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const toRecording = (filename: string) => ({ filename, bytes: toBytes(filename) });

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

test("find gives each record of a call its own recordings", async () => {
  const service = createFakeService({ calls: transferred });
  const client = createClient(service.clientOptions);
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

test("find works by reference, and only asks what there is", async () => {
  const service = createFakeService({ calls: transferred });
  const client = createClient(service.clientOptions);
  const wanted = await client.recordings.find({ ref_id: "R", filename: "ben.wav" });
  expect(wanted).toEqual({ ref_id: "R", part: 3 });
  const sent = service.requests.filter(({ operationId }) => operationId !== "createToken");
  expect(sent.map(({ method, url }) => [method, new URL(url).search])).toEqual([
    ["HEAD", ""],
    ["HEAD", "?part=2"],
    ["HEAD", "?part=3"],
  ]);
});

test("a name that no recording of the call has is not found", async () => {
  const service = createFakeService({ calls: transferred });
  const client = createClient(service.clientOptions);
  const failure = await failureOf(client.recordings.find({ call_id: "7", filename: "eve.wav" }));
  expect(failure).toBeInstanceOf(NotFoundError);
  expect(failure).toMatchObject({ message: "The call has no recording of this name", status: 404 });
});

test("a call without recordings is not found as by any other request", async () => {
  const service = createFakeService({ calls: [{ call_id: "8" }] });
  const client = createClient(service.clientOptions);
  const failure = await failureOf(client.recordings.find({ call_id: "8", filename: "eve.wav" }));
  expect(failure).toMatchObject({ name: "NotFoundError", code: "CM_RECORDING_UNKNOWN" });
});

test("a service that ignores part is not asked for ever", async () => {
  const headers = { "Content-Disposition": 'attachment; filename="a.wav"', "Content-Length": "9" };
  const { client, asked } = await openService((response) => response.writeHead(200, headers).end());
  const failure = await failureOf(client.recordings.find({ call_id: "7", filename: "b.wav" }));
  expect(failure).toBeInstanceOf(NotFoundError);
  expect(asked).toHaveLength(2);
});

test("a service that sends no names says so", async () => {
  const { client } = await openService((response) => response.writeHead(200).end());
  const failure = await failureOf(client.recordings.find({ call_id: "7", filename: "b.wav" }));
  expect(failure).toBeInstanceOf(ProtocolError);
  expect(failure).toMatchObject({ message: "The service sends no names of recordings: use part" });
});

test("another failure than 404 is not taken for the end", async () => {
  const first = { "Content-Disposition": 'attachment; filename="a.wav"' };
  const { client } = await openService((response, { url }) =>
    url.includes("part=2")
      ? sendFailure(response, 403, "No")
      : response.writeHead(200, first).end(),
  );
  const failure = await failureOf(client.recordings.find({ call_id: "7", filename: "b.wav" }));
  expect(failure).toMatchObject({ name: "PermissionError", status: 403 });
});
