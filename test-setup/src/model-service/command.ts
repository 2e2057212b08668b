// The command line of a model service: serves it clean, or with one drift.
import { parseArgs } from "node:util";
import type { Drift } from "./drift.ts";
import type { Callers } from "./play.ts";
import { listen, type Running, type Service } from "./service.ts";

export interface ModelService<State> {
  readonly name: string;
  readonly callers: Callers;
  readonly drifts: readonly Drift<State>[];
  /** New data, so that every start begins alike. */
  readonly createState: () => State;
  readonly createService: (state: State) => Service;
}

/** @param drift undefined serves the clean service; @param port 0, the default, takes a free one */
export async function startModelService<State>(
  { createState, createService }: Pick<ModelService<State>, "createState" | "createService">,
  drift?: Pick<Drift<State>, "wrap">,
  port = 0,
): Promise<Running> {
  const state = createState();
  const service = createService(state);
  return listen(drift === undefined ? service : drift.wrap(service, state), port);
}

/** Serves until the process is ended. Unknown options and ids end it with exit code 2. */
export async function runModelService<State>(
  model: ModelService<State>,
  args: readonly string[],
): Promise<void> {
  const options = { drift: { type: "string" }, port: { type: "string", default: "0" } } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const drift = model.drifts.find(({ id }) => id === values.drift);
    if (values.drift !== undefined && drift === undefined)
      throw new Error(
        `There is no drift ${values.drift}: use ${model.drifts.map(({ id }) => id).join(", ")}`,
      );
    const { baseUrl } = await startModelService(model, drift, Number(values.port));
    console.log(`${model.name}: ${baseUrl}${drift === undefined ? "" : `, ${drift.says}`}`);
    for (const [caller, headers] of Object.entries(model.callers))
      console.log(`  ${caller}: ${JSON.stringify(headers)}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}
