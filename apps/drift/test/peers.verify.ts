// The other tools: each sees what it can see, and nothing where nothing is wrong.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, openDemo } from "../src/demo.ts";
import { field, omit, records, toText } from "../src/edits/json.ts";
import { peers } from "../src/peers/index.ts";
import { type Judge, UNCHANGED } from "../src/peers/peer.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

describe.each(peers)("$name", ({ open }) => {
  let judge: Judge;
  beforeAll(async () => {
    judge = await open(demo);
  });
  afterAll(() => judge[Symbol.asyncDispose]());

  test("sees a field that is missing", async () => {
    const mutate = records((user) => omit(user, ["middle_name"]));
    expect(await judge.judge({ operation: "listUsers", mutate })).toBe(true);
  });

  test("sees nothing in a service as it is, also after one that drifted", async () => {
    expect(await judge.judge({ ...UNCHANGED, operation: "listUsers" })).toBe(false);
  });

  test("sees a value of another type", async () => {
    const mutate = field("id", toText);
    expect(await judge.judge({ operation: "listUsers", mutate })).toBe(true);
  });
});
