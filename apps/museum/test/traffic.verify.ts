// Recorded traffic of this service: clean it is kept, and each mutant of a single response is found without a request.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkTraffic, loadDocument, loadRelations } from "@call-media/conformance";
import type { Drift } from "@call-media/test-setup/model-service";
import { recordTraffic } from "@call-media/test-setup/record-traffic";
import { expect, test } from "vitest";
import { createMuseum, type Museum } from "../src/museum.ts";
import { responses } from "../src/mutants/responses.ts";
import { callers, createMuseumService } from "../src/service.ts";
import { variants } from "../src/variants.ts";
import { WALK } from "./walk.ts";

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const document = await loadDocument(at("../document/openapi.yaml"));
const relations = await loadRelations(document, [at("../relations.yaml")]);

async function judge(lines: readonly string[], drift?: Drift<Museum>) {
  const walk = {
    callers,
    createState: () => createMuseum({ today: "2026-11-02" }),
    createService: createMuseumService,
    lines,
  };
  const { har, baseUrl } = await recordTraffic(walk, drift);
  const folder = await mkdtemp(join(tmpdir(), "traffic-"));
  try {
    const file = join(folder, "walk.har");
    await writeFile(file, har);
    return await checkTraffic({ document, relations, files: [file], baseUrl });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const ALL = WALK.map(([, line]) => line);

test("clean traffic is kept", async () => {
  const { verdict, findings, traffic } = await judge(ALL);
  expect({ verdict, findings }).toEqual({ verdict: "kept", findings: [] });
  expect(traffic?.judged).toBeGreaterThan(30);
});

test.each(variants)("traffic of the variant $id has no finding", async (variant) => {
  const { findings } = await judge([...ALL, ...variant.reveal], variant);
  expect(findings).toEqual([]);
});

test.each(responses)("traffic of the mutant $id has a finding", async (mutant) => {
  expect((await judge(mutant.reveal, mutant)).findings).not.toEqual([]);
});
