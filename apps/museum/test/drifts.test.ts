// A client can see each mutant and variant of the museum, and variants keep the document.
import { readFileSync } from "node:fs";
import { describeDrifts } from "@call-media/test-setup/describe-drifts";
import { expect, test } from "vitest";
import { holdOut } from "../src/hold-out.ts";
import { knownMutants, knownVariants } from "../src/known-drifts.ts";
import { createMuseum } from "../src/museum.ts";
import { kinds } from "../src/mutants/index.ts";
import { responses } from "../src/mutants/responses.ts";
import { callers, createMuseumService } from "../src/service.ts";
import { variants } from "../src/variants.ts";
import { WALK } from "./walk.ts";

test("there are 40 mutants, 15 held out, and 10 variants", () => {
  expect([kinds.flat().length, holdOut.length, variants.length]).toEqual([40, 15, 10]);
});

describeDrifts({
  // HTTP allows statuses that the document does not list; known variants use some.
  mutants: [...kinds, holdOut, knownMutants, knownVariants],
  variants,
  undocumented: responses,
  callers,
  createState: () => createMuseum({ today: "2026-11-02" }),
  createService: createMuseumService,
  document: readFileSync(new URL("../document/openapi.yaml", import.meta.url), "utf8"),
  walk: WALK.map(([, line]) => line),
});
