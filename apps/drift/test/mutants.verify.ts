// The benchmark itself: it finds nothing where nothing is wrong, and fails on a mutant that nobody can see.
import { checkService } from "@call-media/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, openDemo } from "../src/demo.ts";
import { withHeaders } from "../src/edits/answers.ts";
import type { Mutant } from "../src/mutants/mutant.ts";
import { runBenchmark } from "../src/benchmark.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

test("the kit finds nothing in the service as it is", async () => {
  await using service = await demo.startService();
  const target = { ...demo.access, baseUrl: service.baseUrl };
  const { verdict, findings } = await checkService(target, { against: "decisions" });
  expect({ verdict, findings }).toEqual({ verdict: "kept", findings: [] });
});

describe("the benchmark fails on a mutant", () => {
  const mutant: Mutant = {
    id: "nothing-wrong",
    class: "header",
    operation: "listPublicFlags",
    contract: "interface",
    says: "everything is as it should be",
    mutate: (answer) => answer,
  };

  test("that changes nothing", async () => {
    const { faults } = await runBenchmark(demo, { mutants: [mutant], variants: [] });
    expect(faults).toEqual([expect.stringMatching(/^not reached: nothing-wrong /)]);
  });

  test("of the interface that is found only by what a decision says", async () => {
    const mutate: Mutant["mutate"] = (answer) =>
      withHeaders(answer, { "cache-control": "public, max-age=60" });
    const { faults } = await runBenchmark(demo, { mutants: [{ ...mutant, mutate }], variants: [] });
    expect(faults).toEqual([expect.stringMatching(/^missed: nothing-wrong .*said drift/)]);
  });

  test("that changes what no check looks at", async () => {
    const mutate: Mutant["mutate"] = (answer) => withHeaders(answer, { "x-build": "7" });
    const unseen = [{ ...mutant, contract: "decision" as const, mutate }];
    const { tables, faults } = await runBenchmark(demo, {
      mutants: unseen,
      variants: [],
    });
    expect(faults).toEqual([expect.stringMatching(/^missed: nothing-wrong/)]);
    expect(tables).toMatch(/^header +0\/1 +-$/m);
  });
});
