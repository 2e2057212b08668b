// The railway service with its callers and drifts, as the command line and the tests start it.
import type { ModelService } from "@call-media/test-setup/model-service";
import { holdOut } from "./hold-out.ts";
import { knownMutants, knownVariants } from "./known-drifts.ts";
import { mutants } from "./mutants/index.ts";
import { createRailway, type Railway } from "./railway.ts";
import { callers, createRailwayService } from "./service.ts";
import { variants } from "./variants.ts";

export const railwayService: ModelService<Railway> = {
  name: "Railway",
  callers,
  drifts: [...mutants, ...holdOut, ...variants, ...knownMutants, ...knownVariants],
  createState: () => createRailway(),
  createService: createRailwayService,
};
