// The museum service with its callers and drifts, as the command line and the tests start it.
import type { ModelService } from "@call-media/test-setup/model-service";
import { holdOut } from "./hold-out.ts";
import { knownMutants, knownVariants } from "./known-drifts.ts";
import { createMuseum, type Museum } from "./museum.ts";
import { mutants } from "./mutants/index.ts";
import { callers, createMuseumService } from "./service.ts";
import { variants } from "./variants.ts";

export const museumService: ModelService<Museum> = {
  name: "Museum",
  callers,
  drifts: [...mutants, ...holdOut, ...variants, ...knownMutants, ...knownVariants],
  createState: () => createMuseum(),
  createService: createMuseumService,
};
