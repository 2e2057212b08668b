// Records what a walk over a model service sends and receives.
import { vi } from "vitest";
import { startModelService } from "./model-service/command.ts";
import type { Drift } from "./model-service/drift.ts";
import { type Callers, play } from "./model-service/play.ts";
import type { Service } from "./model-service/service.ts";
import { createHarRecorder, toHarText } from "./record-har.ts";

export interface Walk<State> {
  readonly callers: Callers;
  readonly createState: () => State;
  readonly createService: (state: State) => Service;
  /** Lines of `play`. */
  readonly lines: readonly string[];
}

/** The traffic as the text of a HAR file, and the base URL that the service had. */
export async function recordTraffic<State>(
  walk: Walk<State>,
  drift?: Drift<State>,
): Promise<{ readonly har: string; readonly baseUrl: string }> {
  await using service = await startModelService(walk, drift);
  const recorder = createHarRecorder();
  vi.stubGlobal("fetch", recorder.fetch);
  try {
    await play(service.baseUrl, walk.callers, walk.lines);
  } finally {
    vi.unstubAllGlobals();
  }
  return { har: toHarText(recorder.entries), baseUrl: service.baseUrl };
}
