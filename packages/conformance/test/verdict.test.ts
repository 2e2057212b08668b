// What a verdict stands on: no server error, no refused right request, one success of each operation.
import type { OperationId } from "@call-media/api";
import { expect, test } from "vitest";
import { checkService, type Yardstick } from "../src/index.ts";
import { createService, type LocalService, signedIn, toEnvelope, TOKEN } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

interface Reply {
  readonly status?: number;
  readonly data?: unknown;
}

/** A service that answers each request by its path and query, and success with an empty list where that says nothing. */
const serving = (
  reply: (path: string, query: URLSearchParams, body: string) => Reply | undefined,
) =>
  createService(
    signedIn(({ url, headers, body }) => {
      const isSignedIn = headers.get("Authorization") === `Bearer ${TOKEN}`;
      const { status = 200, data = [] } = isSignedIn
        ? (reply(url.pathname, url.searchParams, body) ?? {})
        : { status: 401 };
      return { status, body: toEnvelope(data) };
    }),
  );

const check = async (
  service: LocalService,
  only: readonly OperationId[],
  against: Yardstick = "interface",
) => checkService({ ...service, credentials }, { only, against });

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
    const service = serving(() => ((requests += 1) === 40 ? { status: 500 } : undefined));
    const { verdict, findings } = await checkService({ ...service, credentials }, { against });
    expect(verdict).toBe("drift");
    expect(findings).toContainEqual(
      expect.objectContaining({ requirement: "answer.server-error", fault: "the answer is 500" }),
    );
  },
);

test("a method that no server knows may be answered 501", async () => {
  const others = signedIn(() => ({ body: "{}" }));
  const service = createService((asked) =>
    asked.method === "DELETE" ? { status: 501 } : others(asked),
  );
  const { findings } = await checkService({ ...service, credentials });
  expect(findings.filter(({ requirement }) => requirement === "answer.server-error")).toEqual([]);
});

test("searches that are all refused are findings, with any status but 404", async () => {
  const searches = ["searchMetadata", "searchMetadataByCustomFields"] as const;
  const refusing = (status: number) =>
    serving((path) => (path.startsWith("/metadata/") ? { status } : undefined));
  const refused = refusing(400);
  const { verdict, findings } = await check(refused, searches);
  expect(verdict).toBe("drift");
  expect(findings).toMatchObject(
    searches.map((operation) => ({ requirement: "answer.success", operation })),
  );
  const empty = refusing(404);
  expect(await check(empty, searches)).toMatchObject({
    verdict: "unable",
    reason: expect.stringMatching(
      /^no success was seen of searchMetadataByCustomFields \(no request was answered with success\), searchMetadata/,
    ),
  });
});

test("a filter by a value that a record has is not refused", async () => {
  const calls = CALLS.map((call) => ({ ...call, lead_id: "L-1" }));
  const service = serving((path, query, body) => {
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
  const some = serving((...asked) => chats(asked[0]) ?? withCalls(asked[0], asked[1]));
  expect(await check(some, ["getChatByCallId"])).toMatchObject({
    verdict: "unable",
    reason: expect.stringContaining(
      "no success was seen of getChatByCallId (no call with a chat was found)",
    ),
    unseen: [{ operation: "getChatByCallId", isExcused: false }],
  });
  const none = serving(chats);
  const unseen = [{ operation: "getChatByCallId", why: "no call was found", isExcused: true }];
  expect(await check(none, ["getChatByCallId"])).toMatchObject({
    verdict: "unable",
    unseen: expect.arrayContaining(unseen),
  });
  const options = { only: ["getChatByCallId"], isEmptyOk: true } as const;
  expect(await checkService({ ...none, credentials }, options)).toMatchObject({
    verdict: "kept",
    unseen,
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
  const without = ofCalls(CALLS);
  expect((await check(without, ["streamRecordingByCallId"])).verdict).toBe("kept");
  const lost = ofCalls(named);
  expect((await check(lost, ["streamRecordingByCallId"])).verdict).toBe("unable");
});

test("with a key alone, signing in is not an operation to see", async () => {
  const service = createService(({ url }) => ({
    status: url.pathname === "/Token" ? 401 : 200,
    body: "{}",
  }));
  const target = { ...service, apiKey: "a-key-of-some-length" };
  const { unseen } = await checkService(target, { only: ["createToken"] });
  expect(unseen).toEqual([
    { operation: "createToken", why: "no credentials were given", isExcused: true },
  ]);
});
