// Each mutant and variant of the railway is seen by a client, and variants keep the document.
import { describeDrifts } from "@call-media/test-setup/describe-drifts";
import { expect, test } from "vitest";
import { documentText } from "../src/input.ts";
import { mutants } from "../src/mutants/index.ts";
import { createRailway } from "../src/railway.ts";
import { callers, createRailwayService } from "../src/service.ts";
import { variants } from "../src/variants.ts";
import { now, WALK } from "./walk.ts";

test("there are 40 mutants and 10 variants", () => {
  expect([mutants.length, variants.length]).toEqual([40, 10]);
});

describeDrifts({
  mutants,
  variants,
  callers,
  createState: () => createRailway({ now }),
  createService: createRailwayService,
  document: documentText,
  walk: WALK.map(([, line]) => line),
});
