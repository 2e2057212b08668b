// A client can see each mutant and variant of the railway, and variants keep the document.
import { describeDrifts } from "@call-media/test-setup/describe-drifts";
import { expect, test } from "vitest";
import { holdOut } from "../src/hold-out.ts";
import { knownMutants, knownVariants } from "../src/known-drifts.ts";
import { documentText } from "../src/input.ts";
import { kinds } from "../src/mutants/index.ts";
import { responses } from "../src/mutants/responses.ts";
import { createRailway } from "../src/railway.ts";
import { callers, createRailwayService } from "../src/service.ts";
import { variants } from "../src/variants.ts";
import { now, WALK } from "./walk.ts";

test("there are 40 mutants, 15 held out, and 10 variants", () => {
  expect([kinds.flat().length, holdOut.length, variants.length]).toEqual([40, 15, 10]);
});

describeDrifts({
  // HTTP allows statuses that the document does not list; known variants use some.
  mutants: [...kinds, holdOut, knownMutants, knownVariants],
  variants,
  // Only prose requires a problem's status to equal that of the status line.
  undocumented: responses.filter(({ id }) => id !== "problem-with-other-status"),
  callers,
  createState: () => createRailway({ now }),
  createService: createRailwayService,
  document: documentText,
  walk: WALK.map(([, line]) => line),
});
