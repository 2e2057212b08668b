// The short form of the benchmark, first half: the kit catches a mutant of every class, and nothing where nothing is wrong.
import { checkService } from "@call-media/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, openDemo } from "../src/demo.ts";
import { withHeaders } from "../src/edits/answers.ts";
import { mutants } from "../src/mutants/index.ts";
import type { Mutant } from "../src/mutants/mutant.ts";
import { runBenchmark } from "../src/benchmark.ts";
import { runOne } from "../src/run.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

const ofEachClass = [...Map.groupBy(mutants, (mutant) => mutant.class).values()].flatMap((of) =>
  of.slice(0, 1),
);

describe("the kit catches", () => {
  test.each(ofEachClass)("$class: $says ($id)", async (mutant) => {
    const against = mutant.contract === "interface" ? "interface" : "decisions";
    const { verdict } = await runOne(demo, mutant, against);
    expect(verdict).toBe("drift");
  });
});

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
    const { faults } = await runBenchmark(demo, { mutants: [mutant], variants: [], peers: [] });
    expect(faults).toEqual([
      expect.stringMatching(/^not reached: nothing-wrong .*against decisions/),
      expect.stringMatching(/^not reached: nothing-wrong .*against interface/),
    ]);
  });

  test("that changes what no check looks at", async () => {
    const mutate: Mutant["mutate"] = (answer) => withHeaders(answer, { "x-build": "7" });
    const unseen = [{ ...mutant, contract: "decision" as const, mutate }];
    const { tables, faults } = await runBenchmark(demo, {
      mutants: unseen,
      variants: [],
      peers: [],
    });
    expect(faults).toEqual([expect.stringMatching(/^missed: nothing-wrong/)]);
    expect(tables).toMatch(/^header +0\/1 +-$/m);
  });
});
