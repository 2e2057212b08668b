// How sign-ins that come all at once are checked: one key at a time, and after each a rest as long as its check took.
import { createHook } from "node:async_hooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "./support/service.ts";

// As many as may fail before the next one has to wait (D23).
const SIGN_INS = 5;

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** A check of a key, from its way into the thread pool to its way back, or a timer, from being set to going off. */
interface Span {
  readonly kind: "check" | "timer";
  /** The requested delay of a timer. */
  readonly ms: number;
  readonly beginMs: number;
  endMs: number;
}

/** Watches what Node.js itself says of its work; the spans are those that have ended, in the order of their beginning. */
function watchWork() {
  const spans = new Map<number, Span>();
  const hook = createHook({
    init: (id, type, _trigger, { _idleTimeout: ms = 0 }: { _idleTimeout?: number }) => {
      if (type !== "SCRYPTREQUEST" && type !== "Timeout") return;
      const kind = type === "Timeout" ? "timer" : "check";
      spans.set(id, { kind, ms, beginMs: performance.now(), endMs: Infinity });
    },
    before: (id) => {
      const span = spans.get(id);
      if (span !== undefined) span.endMs = performance.now();
    },
  }).enable();
  return {
    list: (kind: Span["kind"]) =>
      [...spans.values()].filter((span) => span.kind === kind && span.endMs < Infinity),
    [Symbol.dispose]: () => void hook.disable(),
  };
}

test("keys are checked one at a time, and each next one waits for a rest as long as the check", async () => {
  using work = watchWork();
  const answers = await Promise.all(
    Array.from({ length: SIGN_INS }, (_, n) =>
      service.post("/Token", "none", { secretID: `nobody ${n}`, secretKey: "wrong" }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));

  const checks = work.list("check");
  expect(checks).toHaveLength(SIGN_INS);
  for (const [index, next] of checks.slice(1).entries()) {
    const { beginMs, endMs } = checks[index] ?? next;
    expect(next.beginMs).toBeGreaterThan(endMs);
    const rests = work
      .list("timer")
      .filter((timer) => timer.beginMs >= endMs && timer.endMs <= next.beginMs);
    expect(Math.max(...rests.map(({ ms }) => ms))).toBeGreaterThanOrEqual(
      Math.floor(endMs - beginMs),
    );
  }
});
