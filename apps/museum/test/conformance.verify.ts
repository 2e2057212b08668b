// Runs the conformance kit on this service. The clean service and conforming variants have no finding; found mutants are counted.
import { fileURLToPath } from "node:url";
import { type ApiOptions, checkApi, loadDocument, loadRelations } from "@call-media/conformance";
import { type Drift, startModelService, stopAt } from "@call-media/test-setup/model-service";
import { expect, test } from "vitest";
import { museumService } from "../src/model.ts";
import { knownMutants, knownVariants } from "../src/known-drifts.ts";
import { mutants } from "../src/mutants/index.ts";
import type { Museum } from "../src/museum.ts";
import { variants } from "../src/variants.ts";

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const document = await loadDocument(at("../document/openapi.yaml"));
const relations = await loadRelations(document, [at("../relations.yaml")]);
/** The minimum number of mutants that the kit finds; their author has not read its laws. */
const LEAST_FOUND = 38;
const MOST_REQUESTS = 300;

async function check(drift?: Drift<Museum>, options: ApiOptions = {}) {
  await using service = await startModelService(museumService, drift);
  const { ann = {}, bob = {} } = museumService.callers;
  return await checkApi({
    document,
    relations,
    target: { baseUrl: service.baseUrl, first: { headers: ann }, second: { headers: bob } },
    options: { mayWrite: true, ...options },
  });
}

test("the clean service is kept, within the budget", async () => {
  const { findings, verdict, reason, requests } = await check();
  expect({ findings, verdict, reason }).toEqual({
    findings: [],
    verdict: "kept",
    reason: undefined,
  });
  expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
});

test.each([...variants, ...knownVariants].map((variant) => [variant.id, variant] as const))(
  "no finding: %s",
  async (_id, variant) => {
    expect((await check(variant)).findings).toEqual([]);
  },
);

test("most mutants are found", { timeout: 600_000 }, async () => {
  const missed: string[] = [];
  for (const mutant of mutants) {
    const { found, options } = stopAt();
    await check(mutant, options);
    if (found.length === 0) missed.push(mutant.id);
  }
  expect(mutants.length - missed.length, missed.join(", ")).toBeGreaterThanOrEqual(LEAST_FOUND);
});

test.each(knownMutants)("$clause finds $id", async (mutant) => {
  const { found, options } = stopAt(mutant.clause);
  await check(mutant, { ...options, isStrict: mutant.isStrict ?? false });
  expect(found).toContain(mutant.clause);
});

test("strict, a lawful variant has no finding of what is only recommended but HEAD", async () => {
  const { findings } = await check(knownVariants.at(-1), { isStrict: true });
  expect(findings.filter(({ requirement }) => requirement === "input.unchanged")).toEqual([]);
});
