// Runs the conformance kit on this service. The clean service and conforming variants have no finding; found mutants are counted.
import { fileURLToPath } from "node:url";
import { type ApiOptions, checkApi, loadDocument, loadRelations } from "@call-media/conformance";
import { type Drift, startModelService, stopAt } from "@call-media/test-setup/model-service";
import { expect, test } from "vitest";
import { railwayService } from "../src/model.ts";
import { knownMutants, knownVariants } from "../src/known-drifts.ts";
import { mutants } from "../src/mutants/index.ts";
import { createRailway, type Railway } from "../src/railway.ts";
import { variants } from "../src/variants.ts";

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const document = await loadDocument(at("../openapi.yaml"));
const relations = await loadRelations(document, [at("../relations.yaml")]);
/** The minimum number of mutants that the kit finds; their author has not read its laws. */
const LEAST_FOUND = 38;
const MOST_REQUESTS = 800;

// Bookings are relative to the start, and the findings must not depend on the time of day.
const shiftMs = Date.UTC(2026, 10, 2, 8, 30) - Date.now();
const morningService = {
  ...railwayService,
  createState: () => createRailway({ now: () => Date.now() + shiftMs }),
};

async function check(drift?: Drift<Railway>, options: ApiOptions = {}) {
  await using service = await startModelService(morningService, drift);
  const { ada = {}, ben = {} } = railwayService.callers;
  return await checkApi({
    document,
    relations,
    target: {
      baseUrl: service.baseUrl,
      first: { headers: ada },
      second: { headers: ben },
      schemes: { ReadKey: { headers: railwayService.callers["key"] ?? {} } },
    },
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
  await check(mutant, options);
  expect(found).toContain(mutant.clause);
});

test("a fault of many operations names them all", async () => {
  const { findings } = await check(mutants.find(({ id }) => id === "problem-with-other-status"));
  const found = findings.find(({ requirement }) => requirement === "answer.problem");
  expect(found?.alsoAt.map(({ operation }) => operation)).toContain("getStation");
});
