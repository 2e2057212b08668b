// `redocly drift` as a peer: the scripted requests and their answers, recorded, are held against the contract.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Demo } from "../demo.ts";
import { startDrifting } from "../drifting.ts";
import { toHar } from "../har.ts";
import type { Drift } from "../proxy.ts";
import { type Played, playScript } from "../script.ts";
import { type Peer, UNCHANGED } from "./peer.ts";
import { runRedocly } from "./redocly.ts";

const CONTRACT = fileURLToPath(import.meta.resolve("@call-media/api/openapi.json"));

/** The part of the tool's report that is read. */
interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export const traffic: Peer = {
  id: "drift",
  name: "redocly drift",
  given:
    "the scripted requests and their answers as HAR; seen is what makes another report than for the right service",
  open: async (demo) => {
    const clean = new Map<string, string>();
    const judge = async (drift: Drift) => {
      const key = JSON.stringify(drift.operation);
      const expected =
        clean.get(key) ?? (await report(demo, { ...drift, mutate: UNCHANGED.mutate }));
      clean.set(key, expected);
      return (await report(demo, drift)) !== expected;
    };
    return { judge, [Symbol.asyncDispose]: async () => {} };
  },
};

/** The complaints of the tool, without the port of the service. */
async function report(demo: Demo, drift: Drift): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startDrifting(demo, drift));
  const directory = await mkdtemp(join(tmpdir(), "call-media-traffic-"));
  stack.defer(() => rm(directory, { recursive: true }));
  const played: Played[] = [];
  for await (const exchange of playScript(service.baseUrl, demo, drift.operation))
    played.push(exchange);
  const file = join(directory, "traffic.har");
  await writeFile(file, await toHar(played));
  const options = ["--api", CONTRACT, "--server", service.baseUrl, "--format", "json"];
  const { stdout } = await runRedocly(["drift", file, ...options]);
  const { problems } = JSON.parse(stdout) as { readonly problems: readonly Problem[] }; // the tool's own form
  return problems.map(toLine).toSorted().join("\n");
}

// An exchange's number tells how many came before it, which is no complaint.
function toLine({ ruleId, message, method, path, status }: Problem): string {
  return [ruleId, message, method, path, status].join(" ");
}
