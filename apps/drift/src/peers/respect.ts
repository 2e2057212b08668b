// `redocly respect` as a peer: the workflows of the contract are played to the drifting service.
import { fileURLToPath } from "node:url";
import type { OperationId, Schema } from "@call-media/api";
import type { Demo } from "../demo.ts";
import { startDrifting } from "../drifting.ts";
import { type Drift, isInScope } from "../proxy.ts";
import { SPOKEN } from "../steps.ts";
import type { Peer } from "./peer.ts";
import { runRedocly } from "./redocly.ts";

const WORKFLOWS = fileURLToPath(
  new URL("../../../../spec/workflows/call-media.arazzo.yaml", import.meta.url),
);
// Some services break off on purpose; 40 s unless set.
const FETCH_TIMEOUT_MS = "5000";

export const respect: Peer = {
  id: "respect",
  name: "redocly respect",
  given:
    "the workflows of spec/workflows, which use 7 of the 15 operations; seen is what makes the run fail",
  open: async (demo) => {
    const inputs = JSON.stringify(await findInputs(demo));
    const asked = new Set<OperationId | undefined>();
    const watched: Drift = {
      operation: "every",
      mutate: (answer, { operation }) => {
        asked.add(operation);
        return answer;
      },
    };
    if (await fails(demo, watched, inputs))
      throw new Error("the workflows fail on the service as it is");
    // A run that asks for nothing that drifts goes as the one on the right service.
    const isAsked = ({ operation: scope }: Drift) =>
      [...asked].some((operation) => isInScope(scope, operation));
    return {
      judge: async (drift) => isAsked(drift) && (await fails(demo, drift, inputs)),
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

async function fails(demo: Demo, drift: Drift, inputs: string): Promise<boolean> {
  await using service = await startDrifting(demo, drift);
  const server = ["--server", `call-media=${service.baseUrl}`];
  const limits = ["--max-fetch-timeout", FETCH_TIMEOUT_MS];
  // Inputs are secrets: other users of the machine see arguments, but not the environment.
  const env = { REDOCLY_CLI_RESPECT_INPUT: inputs };
  const { isSuccess } = await runRedocly(["respect", WORKFLOWS, ...server, ...limits], env);
  return !isSuccess;
}

/** Day and agent of a call with a recording and a chat. */
async function findInputs(demo: Demo) {
  const { apiKey, credentials } = demo.access;
  await using service = await demo.startService();
  const response = await fetch(
    `${service.baseUrl}/metadata/by-call-id/${SPOKEN.getMetadataByCallId}`,
    {
      headers: { Authorization: `Bearer ${apiKey}` },
    },
  );
  const { data } = (await response.json()) as Schema<"MetadataEnvelope">; // the service keeps its contract
  const day = data[0]?.datetime?.slice(0, "YYYY-MM-DD".length) ?? "";
  return { ...credentials, startDate: day, endDate: day, agent: data[0]?.agent ?? "" };
}
