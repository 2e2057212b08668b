// Besides the benchmark: the kit takes no lawful variant for drift, several of them in one service.
import { checkService } from "@call-media/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChain, toChains } from "../src/chain.ts";
import { type Demo, openDemo } from "../src/demo.ts";
import { variants } from "../src/variants/index.ts";
import { words } from "../src/variants/words.ts";

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

// Only the decisions know of words.
test.each(words)("nothing of words is asked of $id", async (variant) => {
  await using service = await startChain(demo, [variant]);
  const target = { ...demo.access, baseUrl: service.baseUrl };
  const sought: string[] = [];
  const { findings, skipped } = await checkService(target, {
    against: "decisions",
    onExchange: ({ sent }) => {
      if (sent.url.includes("words=")) sought.push(sent.url);
    },
  });
  expect(findings.map(({ requirement, fault }) => `${requirement}: ${fault}`)).toEqual([]);
  const left = skipped.filter(({ requirement }) => requirement.startsWith("words."));
  expect(left.length).toBeGreaterThan(15);
  expect(new Set(left.map(({ why }) => why))).toEqual(
    new Set(["the service does not say that it applies words"]),
  );
  expect(sought.length).toBeLessThanOrEqual(MOST_ASKED);
});

/** One at each search, and one with a filter where that is refused without. */
const MOST_ASKED = 3;

test("every variant stands in one chain", () => {
  const ids = chains.flatMap(({ chain }) => chain.map(({ id }) => id));
  expect(ids.toSorted()).toEqual(variants.map(({ id }) => id).toSorted());
});
