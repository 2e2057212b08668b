// What compiles and what does not; checked by `tsc`, never run.
import type { Schema } from "@call-media/api";
import { expectTypeOf } from "vitest";

import {
  type Answer,
  type CallMediaClient,
  createClient,
  type DataOf,
  type InitOf,
  type PathWith,
  type Recording,
  type RecordingStream,
} from "../src/index.ts";

const baseUrl = "https://archive.example";
const range = { startDate: "2026-01-01", endDate: "2026-01-31" };
const query = { ...range, pageIndex: 0 };
const call_id = "1";

createClient({ baseUrl, apiKey: "k" });
createClient({ baseUrl, credentials: { secretID: "a", secretKey: "b" }, fetch });
// @ts-expect-error neither credentials nor key
createClient({ baseUrl });
// @ts-expect-error both
createClient({ baseUrl, apiKey: "k", credentials: { secretID: "a", secretKey: "b" } });
// @ts-expect-error half of the credentials
createClient({ baseUrl, credentials: { secretID: "a" } });
// @ts-expect-error an option there is not
createClient({ baseUrl, apiKey: "k", timeout: 5 });

/** With `exactOptionalPropertyTypes`, as in this repository, what may be left out may be undefined. */
export async function undefinedValues(client: CallMediaClient, maybe: number | undefined) {
  await client.GET("/recording/by-call-id/{call_id}", {
    params: { path: { call_id }, query: { part: maybe } },
    signal: undefined,
    headers: undefined,
  });
  const filter = { agent: undefined, campaign: "1" };
  await client.POST("/metadata/search", { params: { query }, body: filter });
  client.calls.search({ ...range, filter, windowDays: maybe });
  await client.recordings.bytes({ call_id, ref_id: undefined, part: maybe });
  createClient({ baseUrl, apiKey: "k", credentials: undefined, maxRetries: maybe });
}

export async function results(client: CallMediaClient) {
  const metadata = await client.GET("/metadata/by-call-id/{call_id}", {
    params: { path: { call_id } },
    signal: AbortSignal.timeout(1000),
  });
  expectTypeOf(metadata.data).toEqualTypeOf<Schema<"MetadataEnvelope">>();
  expectTypeOf(metadata.data.data[0]?.talk_time).toEqualTypeOf<number | null | undefined>();
  expectTypeOf(metadata.response).toEqualTypeOf<Response>();
  expectTypeOf(metadata.requestId).toEqualTypeOf<string | undefined>();

  const flags = await client.GET("/flags/public", { maxRetries: 0, totalTimeoutMs: undefined });
  expectTypeOf(flags.data.data).toEqualTypeOf<Schema<"PublicFlagRecord">[]>();

  const recording = await client.GET("/recording/by-call-id/{call_id}", {
    params: { path: { call_id }, query: { part: 1 } },
  });
  expectTypeOf(recording.data.data.base64).toEqualTypeOf<string>();

  const page = await client.POST("/metadata/by-custom-fields", { params: { query }, body: {} });
  expectTypeOf(page.data.recordCount).toEqualTypeOf<number>();

  const token = await client.POST("/Token", { body: { secretID: "a", secretKey: "b" } });
  expectTypeOf(token.data).toEqualTypeOf<Schema<"TokenResponse">>();

  const stream = await client.GET("/recording/stream-by-call-id/{call_id}", {
    params: { path: { call_id }, header: { Range: "bytes=0-" } },
    parseAs: "stream",
  });
  expectTypeOf(stream.data).toEqualTypeOf<ReadableStream<Uint8Array>>();

  const found = client.recordings.stream({ call_id });
  expectTypeOf(await found).toEqualTypeOf<RecordingStream>();
  expectTypeOf(found.withResponse()).toEqualTypeOf<Promise<Answer<RecordingStream>>>();
  const whole = await client.recordings.bytes({ call_id }).withResponse();
  expectTypeOf(whole.data).toEqualTypeOf<Recording>();

  for await (const call of client.calls.search({ ...range, filter: { agent: "ana" } }))
    expectTypeOf(call).toEqualTypeOf<Schema<"MetadataRecord">>();
}

/** Wrappers keep the types of the contract. */
export async function wrapped(client: CallMediaClient) {
  const get = async <P extends PathWith<"get">>(
    path: P,
    ...init: InitOf<"get", P>
  ): Promise<DataOf<"get", P>> => (await client.GET(path, ...init)).data;
  expectTypeOf(await get("/flags/public")).toEqualTypeOf<Schema<"PublicFlagEnvelope">>();
  const chat = await get("/chat/by-call-id/{call_id}", { params: { path: { call_id } } });
  expectTypeOf(chat.data).toEqualTypeOf<Schema<"ChatMessageRecord">[]>();
  // @ts-expect-error no parameter
  await get("/chat/by-call-id/{call_id}");
}

export async function refused(client: CallMediaClient) {
  // @ts-expect-error no such path
  await client.GET("/metadata/by-call/{call_id}", { params: { path: { call_id } } });
  // @ts-expect-error another method
  await client.GET("/metadata/search", { params: { query }, body: {} });
  await client.GET(
    // @ts-expect-error no such path, which is said of the path
    "/flags/publc",
  );
  await client.POST(
    // @ts-expect-error another method, the same
    "/flags/public",
  );
  // @ts-expect-error no params
  await client.GET("/metadata/by-call-id/{call_id}");
  // @ts-expect-error no path parameter
  await client.GET("/metadata/by-call-id/{call_id}", { params: { path: {} } });
  // @ts-expect-error another path parameter
  await client.GET("/metadata/by-call-id/{call_id}", { params: { path: { ref_id: "1" } } });
  // @ts-expect-error null, as a record may have it
  await client.GET("/metadata/by-call-id/{call_id}", { params: { path: { call_id: null } } });
  // @ts-expect-error a query where there is none
  await client.GET("/flags/public", { params: { query: { user_id: 1 } } });
  // @ts-expect-error an identifier as text
  await client.GET("/flags/private", { params: { query: { user_id: "1" } } });
  // @ts-expect-error a status there is not
  await client.GET("/users/basic-info", { params: { query: { status: "gone" } } });
  // @ts-expect-error no pageIndex
  await client.POST("/metadata/search", { params: { query: range }, body: { agent: "ana" } });
  // @ts-expect-error no body
  await client.POST("/metadata/search", { params: { query } });
  // @ts-expect-error a filter key there is not
  await client.POST("/metadata/search", { params: { query }, body: { agents: "ana" } });
  // @ts-expect-error seconds as text
  await client.POST("/metadata/search", { params: { query }, body: { talk_time: "60" } });
  const given = { params: { query } };
  // @ts-expect-error a custom field there is not
  await client.POST("/metadata/by-custom-fields", { ...given, body: { custom_field_21: "" } });
  // @ts-expect-error a query parameter there is not
  await client.POST("/metadata/search", { params: { query: { ...query, size: 9 } }, body: {} });
  const params = { path: { call_id } };
  // @ts-expect-error a recording stream that is not taken as one
  await client.GET("/recording/stream-by-call-id/{call_id}", { params });
  // @ts-expect-error JSON taken as a stream
  await client.GET("/recording/by-call-id/{call_id}", { params, parseAs: "stream" });
  // @ts-expect-error an option that would go past the session
  await client.GET("/flags/public", { fetch });
  // @ts-expect-error a filter key there is not
  client.calls.search({ ...range, filter: { custom_field_1: "x" } });
  // @ts-expect-error no filter key (D11)
  client.calls.search({ ...range, filter: {} });
  // @ts-expect-error no value
  client.calls.search({ ...range, filter: { agent: undefined } });
  client.calls.search({ ...range, filter: {}, words: "refund" });
  client.calls.byCustomFields({ ...range, filter: {} });
  // @ts-expect-error no end
  client.calls.search({ startDate: "2026-01-01", filter: { agent: "ana" } });
  // @ts-expect-error both identifiers
  await client.recordings.stream({ call_id: "1", ref_id: "2" });
  // @ts-expect-error neither
  await client.recordings.stream({});
}
