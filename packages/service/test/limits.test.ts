// How sign-ins are limited (D23), whatever a check of a key costs: who waits, who is put off, and whom nobody can keep out.
import { beforeEach, describe, expect, test } from "vitest";
import { createSignInLimit } from "../src/access/limits.ts";
import { ServiceError } from "../src/index.ts";

type Limit = ReturnType<typeof createSignInLimit>;

// As many as may wait for their turn.
const WAITING = 128;

let nowMs: number;
let attempt: Limit;
beforeEach(() => {
  nowMs = 0;
  attempt = createSignInLimit(() => nowMs);
});

/** What became of it: whether the key was right, or for how many seconds it is put off. */
const become = async (asked: ReturnType<Limit>): Promise<boolean | string> =>
  asked.catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    expect([error.status, error.code]).toEqual([429, "CM_SIGN_IN_DELAYED"]);
    return `${error.headers["Retry-After"]} s`;
  });
const from = (origin: string | undefined, isRight: boolean, secretID = "app") =>
  become(attempt({ secretID, origin }, async () => isRight));

test("five failures of an address are free, then each doubles the wait, up to a minute", async () => {
  for (let n = 0; n < 5; n += 1) expect(await from("a", false, `app ${n}`)).toBe(false);
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(await from("a", true)).toBe(`${seconds} s`);
    nowMs += seconds * 1_000;
    expect(await from("a", false, "another")).toBe(false);
  }
  expect(await from("b", true)).toBe(true);
});

test("a right key forgets the failures, and so does a quarter of an hour", async () => {
  const fail = async (times: number) => {
    for (let n = 0; n < times; n += 1) expect(await from("a", false)).toBe(false);
  };
  await fail(4);
  expect(await from("a", true)).toBe(true);
  await fail(5);
  expect(await from("a", true)).toBe("1 s");
  nowMs += 15 * 60_000 + 1;
  await fail(5);
});

test("a clock that is set back makes nobody wait longer", async () => {
  for (let n = 0; n < 5; n += 1) await from("a", false);
  nowMs -= 3_600_000;
  expect(await from("a", true)).toBe("1 s");
  nowMs += 1_000;
  expect(await from("a", true)).toBe(true);
});

test("without an address of its own nobody is delayed", async () => {
  for (let n = 0; n < 30; n += 1) expect(await from(undefined, false)).toBe(false);
  expect(await from(undefined, true)).toBe(true);
});

describe("of those that come at once", () => {
  /** Begins a check that ends when `end` is called, so that all others wait. */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const check = () => {
      begin();
      return promise;
    };
    const held = become(attempt({ secretID: "first", origin: undefined }, check));
    return { held, begun, end: () => resolve(true) };
  };

  test("more than may wait are put off, and all others are checked", async () => {
    const { held, end } = hold();
    const crowd = Array.from({ length: WAITING + 3 }, (_, n) => from(`address ${n}`, false));
    await Promise.resolve();
    end();
    const outcomes = await Promise.all(crowd);
    expect(outcomes.filter((one) => one === "3 s")).toHaveLength(3);
    expect(outcomes.filter((one) => one === false)).toHaveLength(WAITING);
    expect(await held).toBe(true);
  });

  test("the address with most of them loses its newest to another, even with right keys", async () => {
    const { held, end } = hold();
    const crowd = Array.from({ length: WAITING }, () => from("crowd", true));
    const other = from("other", true);
    end();
    expect(await other).toBe(true);
    const outcomes = await Promise.all(crowd);
    expect(outcomes.indexOf("3 s")).toBe(WAITING - 1);
    expect(outcomes.filter((one) => one === true)).toHaveLength(WAITING - 1);
    expect(await held).toBe(true);
  });

  test("among equals the oldest that has failed gives way, and the others keep their order", async () => {
    const crowd = Array.from({ length: WAITING }, (_, n) => `address ${n}`);
    for (const origin of crowd) expect(await from(origin, false)).toBe(false);
    const { held, begun, end } = hold();
    await begun;
    const order: string[] = [];
    const track = (origin: string) => from(origin, true).finally(() => order.push(origin));
    const guesses = crowd.map((origin) => track(origin));
    await new Promise(setImmediate); // all of them wait
    const others = [track("another"), track("a third")];
    await new Promise(setImmediate);
    end();
    expect(await Promise.all(others)).toEqual([true, true]);
    expect((await Promise.all(guesses)).slice(0, 3)).toEqual(["3 s", "3 s", true]);
    expect(order).toEqual([...crowd, "another", "a third"]);
    expect(await held).toBe(true);
  });

  test("five guesses from one address are checked, as one after the other", async () => {
    const guesses = await Promise.all(Array.from({ length: 60 }, () => from("a", false)));
    expect(guesses.filter((one) => one === false)).toHaveLength(5);
    expect(guesses.filter((one) => one === "1 s")).toHaveLength(55);
  });
});
