// What a verdict stands on: no server error, no refused right request, one success of each operation.
import type { OperationId } from "@call-media/api";
import { expect, test } from "vitest";
import { checkService, type Yardstick } from "../src/index.ts";
import { signingIn, startService, TOKEN } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

interface Reply {
  readonly status?: number;
  readonly data?: unknown;
}

/** A service that answers each request by its path and query, and success with an empty list where that says nothing. */
const serving = (
  reply: (path: string, query: URLSearchParams, body: string) => Reply | undefined,
) =>
  startService(
    signingIn((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://archive.test");
      const isSignedIn = request.headers.authorization === `Bearer ${TOKEN}`;
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        const { status = 200, data = [] } = isSignedIn
          ? (reply(pathname, searchParams, body) ?? {})
          : { status: 401 };
        response.writeHead(status, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ isError: false, errorMessage: null, data }));
      });
    }),
  );

const check = async (
  service: { readonly baseUrl: string },
  only: readonly OperationId[],
  against: Yardstick = "interface",
) => checkService({ baseUrl: service.baseUrl, credentials }, { only, against });

const CALLS = Array.from({ length: 30 }, (_, at) => ({
  datetime: `2026-03-0${1 + (at % 3)}T10:00:00Z`,
  call_id: `C-${at}`,
  recordings: null,
}));

/** The calls on the first page of every search. */
const withCalls = (path: string, query: URLSearchParams): Reply | undefined =>
  path === "/metadata/by-custom-fields"
    ? { data: query.get("pageIndex") === "0" ? CALLS : [] }
    : undefined;

test.each(["interface", "decisions"] as const)(
  "a 500 to any request is a finding: %s",
  async (against) => {
    let requests = 0;
    await using service = await serving(() =>
      (requests += 1) === 40 ? { status: 500 } : undefined,
    );
    const { verdict, findings } = await checkService(
      { baseUrl: service.baseUrl, credentials },
      { against },
    );
    expect(verdict).toBe("drift");
    expect(findings).toContainEqual(
      expect.objectContaining({ requirement: "answer.server-error", fault: "the answer is 500" }),
    );
  },
);

test("a method that no server knows may be answered 501", async () => {
  await using service = await startService((request, response) => {
    if (request.method !== "DELETE")
      return signingIn((_, other) => other.end("{}"))(request, response);
    response.writeHead(501).end();
  });
  const { findings } = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(findings.filter(({ requirement }) => requirement === "answer.server-error")).toEqual([]);
});

test("searches that are all refused are findings, with any status but 404", async () => {
  const searches = ["searchMetadata", "searchMetadataByCustomFields"] as const;
  const refusing = (status: number) =>
    serving((path) => (path.startsWith("/metadata/") ? { status } : undefined));
  await using refused = await refusing(400);
  const { verdict, findings } = await check(refused, searches);
  expect(verdict).toBe("drift");
  expect(findings).toMatchObject(
    searches.toReversed().map((operation) => ({ requirement: "answer.success", operation })),
  );
  await using empty = await refusing(404);
  expect(await check(empty, searches)).toMatchObject({
    verdict: "unable",
    reason:
      "not one success was seen of searchMetadataByCustomFields, searchMetadata: no request was answered with success",
  });
});

test("a filter by a value that a record has is not refused", async () => {
  const calls = CALLS.map((call) => ({ ...call, lead_id: "L-1" }));
  await using service = await serving((path, query, body) => {
    if (path === "/metadata/search" && body.includes("lead_id")) return { status: 400 };
    return withCalls(path, query) && { data: query.get("pageIndex") === "0" ? calls : [] };
  });
  const { findings } = await check(service, ["searchMetadata"]);
  expect(findings).toContainEqual(
    expect.objectContaining({
      requirement: "answer.success",
      fault: "by lead_id: the answer is 400",
    }),
  );
});

test("no operation is kept without one success, unless the archive is seen to be empty", async () => {
  const chats = (path: string) => (path.startsWith("/chat/") ? { status: 404 } : undefined);
  await using some = await serving((...asked) => chats(asked[0]) ?? withCalls(asked[0], asked[1]));
  expect(await check(some, ["getChatByCallId"])).toMatchObject({
    verdict: "unable",
    reason: "not one success was seen of getChatByCallId: no call with a chat was found",
    unseen: [{ operation: "getChatByCallId", isExcused: false }],
  });
  await using none = await serving(chats);
  expect(await check(none, ["getChatByCallId"])).toMatchObject({
    verdict: "kept",
    unseen: [{ operation: "getChatByCallId", why: "no call was found", isExcused: true }],
  });
});

test("an archive whose calls all say that they have no recording proves that there is none", async () => {
  const gone = (path: string) => (path.startsWith("/recording/") ? { status: 404 } : undefined);
  const ofCalls = (calls: readonly object[]) =>
    serving(
      (path, query) =>
        gone(path) ??
        (withCalls(path, query) && { data: query.get("pageIndex") === "0" ? calls : [] }),
    );
  const named = CALLS.map((call) => ({ ...call, recordings: "a.wav" }));
  await using without = await ofCalls(CALLS);
  expect((await check(without, ["streamRecordingByCallId"])).verdict).toBe("kept");
  await using lost = await ofCalls(named);
  expect((await check(lost, ["streamRecordingByCallId"])).verdict).toBe("unable");
});

test("with a key alone, signing in is not an operation to see", async () => {
  await using service = await startService((request, response) => {
    response.writeHead(request.url === "/Token" ? 401 : 200).end("{}");
  });
  const target = { baseUrl: service.baseUrl, apiKey: "a-key-of-some-length" };
  const { unseen } = await checkService(target, { only: ["createToken"] });
  expect(unseen).toEqual([
    { operation: "createToken", why: "no credentials were given", isExcused: true },
  ]);
});
