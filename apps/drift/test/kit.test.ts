// The short form of the benchmark: a mutant of every class is caught, and no lawful variant is taken for drift.
import { checkService } from "@call-media/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChain, toChains } from "../src/chain.ts";
import { type Demo, openDemo } from "../src/demo.ts";
import { mutants } from "../src/mutants/index.ts";
import { runMutant } from "../src/run.ts";
import { variants } from "../src/variants/index.ts";

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

describe("the kit takes no lawful service for drift:", () => {
  const chains = toChains(variants).map((chain) => ({
    chain,
    names: chain.map(({ id }) => id).join(", "),
  }));

  test.each(chains)("$names", async ({ chain }) => {
    await using service = await startChain(demo, chain);
    const target = { ...demo.access, baseUrl: service.baseUrl };
    const { findings } = await checkService(target, { against: "interface" });
    expect(findings.map(({ requirement, fault }) => `${requirement}: ${fault}`)).toEqual([]);
    expect(service.unreached()).toEqual([]);
  });
});
