// Repeats the conformance kit on the clean service: it never finds anything, and always sends the same number of requests.
import { fileURLToPath } from "node:url";
import { checkApi, loadDocument, loadRelations } from "@call-media/conformance";
import { startModelService } from "@call-media/test-setup/model-service";
import { expect, test } from "vitest";
import { museumService } from "../src/model.ts";

const RUNS = 100;
const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test(`the clean service is kept ${RUNS} times`, { timeout: 3_600_000 }, async () => {
  const document = await loadDocument(at("../document/openapi.yaml"));
  const relations = await loadRelations(document, [at("../relations.yaml")]);
  const { ann = {}, bob = {} } = museumService.callers;
  const seen = new Set<string>();
  for (let run = 0; run < RUNS; run += 1) {
    await using service = await startModelService(museumService);
    const { verdict, findings, requests } = await checkApi({
      document,
      relations,
      target: { baseUrl: service.baseUrl, first: { headers: ann }, second: { headers: bob } },
      options: { mayWrite: true },
    });
    expect(findings).toEqual([]);
    seen.add(`${verdict} after ${requests} requests`);
  }
  expect([...seen]).toEqual([expect.stringMatching(/^kept after/)]);
});
