// Each mutant and variant of the museum is seen by a client, and variants keep the document.
import { readFileSync } from "node:fs";
import { describeDrifts } from "@call-media/test-setup/describe-drifts";
import { expect, test } from "vitest";
import { createMuseum } from "../src/museum.ts";
import { mutants } from "../src/mutants/index.ts";
import { callers, createMuseumService } from "../src/service.ts";
import { variants } from "../src/variants.ts";
import { WALK } from "./walk.ts";

test("there are 40 mutants and 10 variants", () => {
  expect([mutants.length, variants.length]).toEqual([40, 10]);
});

describeDrifts({
  mutants,
  variants,
  callers,
  createState: () => createMuseum({ today: "2026-11-02" }),
  createService: createMuseumService,
  document: readFileSync(new URL("../document/openapi.yaml", import.meta.url), "utf8"),
  walk: WALK.map(([, line]) => line),
});
