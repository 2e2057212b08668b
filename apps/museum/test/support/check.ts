// Runs `call-media check` in the process of a test, on the museum with or without a drift.
import { fileURLToPath } from "node:url";
import { type Ended, runCallMedia } from "@call-media/test-setup/call-media";
import { startModelService } from "@call-media/test-setup/model-service";
import { museumService } from "../../src/model.ts";
import { mutants } from "../../src/mutants/index.ts";

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
export const DOCUMENT = at("../../document/openapi.yaml");
export const RELATIONS = at("../../relations.yaml");
export const OWN = ["--document", DOCUMENT, "--relations", RELATIONS];

/** Both callers have credentials in the environment. */
export function call(args: readonly string[]): Promise<Ended> {
  const { ann = {}, bob = {} } = museumService.callers;
  const env = { ANN: ann["Authorization"], BOB: bob["Authorization"] };
  return runCallMedia(["check", ...args], { env });
}

const CALLERS = ["--caller", "first=ANN", "--caller", "second=BOB"];

/** Checks a fresh service, with one drift or none. */
export async function check(args: readonly string[], drift?: string): Promise<Ended> {
  const mutant = mutants.find(({ id }) => id === drift);
  await using service = await startModelService(museumService, mutant);
  return await call([...args, "--base-url", service.baseUrl, ...CALLERS]);
}

/** The text on one line. */
export const plain = (text: string) => text.replaceAll(/\s+/g, " ");
