// Besides the benchmark: the kit takes no lawful variant for drift, several of them in one service.
import { checkService } from "@call-media/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChain, toChains } from "../src/chain.ts";
import { type Demo, openDemo } from "../src/demo.ts";
import { variants } from "../src/variants/index.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

const chains = toChains(variants).map((chain) => ({
  chain,
  names: chain.map(({ id }) => id).join(", "),
}));

test.each(chains)("no drift is seen in $names", async ({ chain }) => {
  await using service = await startChain(demo, chain);
  const target = { ...demo.access, baseUrl: service.baseUrl };
  const { findings } = await checkService(target, { against: "interface" });
  expect(findings.map(({ requirement, fault }) => `${requirement}: ${fault}`)).toEqual([]);
  expect(service.unreached()).toEqual([]);
});

test("every variant stands in one chain", () => {
  const ids = chains.flatMap(({ chain }) => chain.map(({ id }) => id));
  expect(ids.toSorted()).toEqual(variants.map(({ id }) => id).toSorted());
});
