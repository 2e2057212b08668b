// Faults at random, over a search of 20 pages and a download of 50 MB: every record once and every byte right, or a
// typed error, and never a hang.
import { createHash } from "node:crypto";

import { array, assert, asyncProperty, constant, constantFrom, oneof } from "fast-check";
import { expect, test } from "vitest";

import { createClient, isCallMediaError, type Profile } from "../src/index.ts";
import { credentials } from "./service.ts";
import { createVirtualClock, type VirtualClock } from "./support/virtual-clock.ts";

/** What the service does with a request; a number is a status. */
type Fault =
  | "none"
  | "cut"
  | "cut late"
  | "hang"
  | "hang late"
  | "html"
  | "429 for a while"
  | number;

const fault = oneof(
  { weight: 12, arbitrary: constant<Fault>("none") },
  {
    weight: 5,
    arbitrary: constantFrom<Fault>("cut", "cut late", "hang", "hang late", 503, 502, 500, 408),
  },
  { weight: 2, arbitrary: constantFrom<Fault>(401, "429 for a while") },
  { weight: 0.2 * 5, arbitrary: constantFrom<Fault>(400, 403, "html") },
);

type Answer = (url: URL, init: RequestInit) => Response;

/** A service in memory that does to its requests, one after the other, what `faults` say, and then nothing more. */
function createFaultyFetch(faults: readonly Fault[], answer: Answer) {
  const left = [...faults];
  let [sent, refusedFirst] = [0, 0];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    sent++;
    if (left[0] === 400 && url.includes("pageIndex=0&")) refusedFirst++;
    init.signal?.throwIfAborted();
    const now = left.shift() ?? "none";
    if (now === "cut") throw new TypeError("fetch failed");
    if (now === "hang") return hang(init.signal);
    if (now === "html") return new Response("<html>", { headers: { "Content-Type": "text/html" } });
    if (now === "429 for a while")
      return new Response("", { status: 429, headers: { "Retry-After": "9" } });
    if (typeof now === "number") return new Response("", { status: now });
    const response = answer(new URL(url), init);
    return now === "none" ? response : breakBody(response, now, init.signal);
  };
  return { fetch, sent: () => sent, refusedFirst: () => refusedFirst };
}

function hang(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}

/** The first half of the body, and then an end to the connection or silence. */
function breakBody(
  response: Response,
  how: "cut late" | "hang late",
  signal: RequestInit["signal"],
) {
  const { status, headers, body } = response;
  const reader = body?.getReader();
  // Some chunks of a download arrive complete.
  let whole = status === 200 && headers.has("ETag") ? 20 : 0;
  const broken = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = whole-- < 0 ? {} : ((await reader?.read()) ?? {});
        if (value !== undefined)
          return controller.enqueue(whole < 0 ? value.subarray(0, value.length >> 1) : value);
        if (how === "cut late") throw new TypeError("terminated");
        return hang(signal);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(broken, { status, headers });
}

/** Whether `run` does. It may fail with a typed error alone. */
async function succeeds(run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (isCallMediaError(error)) return false;
    throw error;
  }
}

function answerToken(): Response {
  return Response.json({ access_token: "t", type: "Bearer", expires: "2026-01-02T00:00:00Z" });
}

function connect(
  clock: VirtualClock,
  fetch: ReturnType<typeof createFaultyFetch>["fetch"],
  profile?: Profile,
) {
  const baseUrl = "https://archive.example";
  return createClient({ baseUrl, credentials, clock, fetch, random: () => 0.5, profile });
}

const calls = Array.from({ length: 990 }, (_, index) => ({ call_id: `c${index}` }));
const range = { startDate: "2026-01-01", endDate: "2026-01-31", filter: {} };

const answerPage: Answer = ({ pathname, searchParams }) => {
  if (pathname === "/Token") return answerToken();
  const first = Number(searchParams.get("pageIndex")) * 50;
  const data = calls.slice(first, first + 50);
  return Response.json({ isError: false, errorMessage: null, data, recordCount: calls.length });
};

test("a search of 20 pages gives every record once, or fails with a typed error and goes on from its cursor", async () => {
  await assert(
    asyncProperty(array(fault, { maxLength: 40 }), async (faults) => {
      const clock = createVirtualClock(true);
      const { fetch, sent, refusedFirst } = createFaultyFetch(faults, answerPage);
      const client = connect(clock, fetch);
      const found: string[] = [];
      let cursor: string | undefined;
      let report: unknown;
      for (let isDone = false; !isDone;) {
        const search = client.calls.byCustomFields({ ...range, cursor });
        isDone = await succeeds(async () => {
          for await (const { call_id } of search) found.push(String(call_id));
        });
        ({ cursor, report } = search);
        // Rejected credentials are not sent again before.
        await clock.advance(60_000);
        expect(sent()).toBeLessThan(200);
      }
      // If page 0 fails three times and page 1 succeeds, the client concludes that pages begin at 1. The report then shows the gap.
      const isFrom1 = refusedFirst() > 2 && found.length < calls.length;
      const expected = isFrom1 ? calls.slice(50) : calls;
      const verdict = isFrom1 ? "drifted" : "complete";
      expect(report).toMatchObject({ rows: expected.length, duplicates: 0, verdict });
      expect(found).toEqual(expected.map(({ call_id }) => call_id));
      expect(clock.pending).toBe(0);
    }),
    { numRuns: 60, examples: [[["none", 400, "none", 400, 400]]] },
  );
});

const BYTES = 50_000_000;
const PIECE = 250_000;
/** Bytes that are different wherever a piece of them might end up in place of another. */
const byteAt = (index: number) => (index * 2_654_435_761) >>> 24;
const piece = (start: number) => {
  const bytes = new Uint8Array(Math.min(PIECE, BYTES - start));
  for (let index = 0; index < bytes.length; index++) bytes[index] = byteAt(start + index);
  return bytes;
};
const whole = Buffer.concat(
  Array.from({ length: BYTES / PIECE }, (_, index) => piece(index * PIECE)),
);
const digest = createHash("sha256").update(whole).digest("base64");

const answerSound: Answer = ({ pathname }, { headers }) => {
  if (pathname === "/Token") return answerToken();
  const start = Number(/\d+/.exec(new Headers(headers).get("Range") ?? "0")?.[0]);
  let at = start;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= BYTES) return controller.close();
        controller.enqueue(whole.subarray(at, at + PIECE));
        at += PIECE;
      },
    },
    { highWaterMark: 0 },
  );
  const about = {
    ETag: '"1"',
    "Repr-Digest": `sha-256=:${digest}:`,
    "Content-Length": String(BYTES - start),
  };
  const part = start > 0 ? { "Content-Range": `bytes ${start}-${BYTES - 1}/${BYTES}` } : {};
  return new Response(body, { status: start > 0 ? 206 : 200, headers: { ...about, ...part } });
};

test("a download of 50 MB gives every byte, or fails with a typed error", async () => {
  let completed = 0;
  await assert(
    asyncProperty(array(fault, { maxLength: 25 }), async (faults) => {
      const clock = createVirtualClock(true);
      const { fetch, sent } = createFaultyFetch(faults, answerSound);
      const client = connect(clock, fetch);
      const isWhole = await succeeds(async () => {
        const { body } = await client.recordings.stream({ call_id: "1" });
        let at = 0;
        for await (const bytes of body) {
          // Compared where they come, at the cost of one buffer.
          if (!whole.subarray(at, at + bytes.length).equals(bytes))
            throw new Error(`Wrong at ${at}`);
          at += bytes.length;
        }
        if (at !== BYTES) throw new Error(`${at} bytes`);
      });
      if (isWhole) completed++;
      expect(sent()).toBeLessThan(200);
      expect(clock.pending).toBe(0);
    }),
    { numRuns: 25 },
  );
  expect(completed).toBeGreaterThan(5);
});
