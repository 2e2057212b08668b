// The short form of the benchmark, first half: the kit catches a mutant of every class, and nothing where nothing is wrong.
import { checkService } from "@call-media/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, openDemo } from "../src/demo.ts";
import { mutants } from "../src/mutants/index.ts";
import { runMutant } from "../src/run.ts";

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
    const { verdict } = await runMutant(demo, mutant);
    expect(verdict).toBe("drift");
  });
});

test("the kit finds nothing in the service as it is", async () => {
  await using service = await demo.startService();
  const target = { ...demo.access, baseUrl: service.baseUrl };
  const { verdict, findings } = await checkService(target, { against: "decisions" });
  expect({ verdict, findings }).toEqual({ verdict: "kept", findings: [] });
});

// The benchmark holds a mutant to one yardstick, which rests on this.
test("what is found against the interface is found against the decisions too", async () => {
  const mutant = mutants.find(({ id }) => id === "user-id-as-text");
  if (mutant === undefined) throw new Error("there is no mutant user-id-as-text");
  const { verdict } = await runMutant(demo, { ...mutant, contract: "decision" });
  expect([mutant.contract, verdict]).toEqual(["interface", "drift"]);
});
