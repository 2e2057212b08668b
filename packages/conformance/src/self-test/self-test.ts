// The self-test of a check: repeats its run on the recorded responses, each time with another mechanical drift in them.
import { performCheck } from "../check-api.ts";
import { toSeed } from "../open-run.ts";
import type { Run } from "../run.ts";
import type { ApiCheck } from "../check.ts";
import type { ApiFinding, ApiReport, SelfTest } from "../report.ts";
import { drifts } from "./drifts.ts";
import { driftFields } from "./fields.ts";
import { driftParameters } from "./parameters.ts";
import type { Replay } from "./reach.ts";
import { createReading, createScenes } from "./scenes.ts";
import { createTape, replay, type Request, type Taped } from "./tape.ts";

/**
 * Like `checkApi`, then tests how many of some two dozen drifts the same run would have seen, and in which fields and parameters. The
 * service gets new requests only for what the first run did not read.
 */
export async function checkWithSelfTest(check: ApiCheck): Promise<ApiReport> {
  const send = check.target.fetch ?? globalThis.fetch;
  const tape = createTape(send);
  const seed = toSeed();
  const recorded = { ...check, target: { ...check.target, fetch: tape.record } };
  let callers: Run["callers"] | undefined;
  const onCallers = (found: Run["callers"]) => void (callers = found);
  const report = await performCheck(recorded, { seed, isReplay: false, onCallers });
  // A drift inserted into recorded responses is not a finding of the service.
  const {
    onExchange: _kept,
    onFinding: _told,
    requestsPerSecond: _rate,
    ...options
  } = check.options ?? {};
  const isReading = createReading(check);
  const clean = new Set<string>();
  const again = async (change: (request: Request, taped: Taped) => Taped, isOneEnough = false) => {
    let isEnough = false;
    const replaying = { send, isReading, change, isEnough: () => isEnough };
    const replayed = {
      ...check,
      target: { ...check.target, fetch: replay(tape, replaying) },
      options: {
        ...options,
        onFinding: ({ fingerprint }: ApiFinding) => {
          isEnough ||= isOneEnough && !clean.has(fingerprint);
        },
      },
    };
    return (await performCheck(replayed, { seed, isReplay: true })).findings;
  };
  for (const { fingerprint } of await again((_, taped) => taped)) clean.add(fingerprint);
  const reached = new Set<string>();
  const toScenes = createScenes(check, tape, callers);
  const drift: Replay = async (change, isOneEnough) => {
    const toScene = toScenes();
    const found = await again((request, taped) => {
      const scene = toScene(request, taped);
      const changed = change(scene);
      if (changed !== undefined && scene.operation !== undefined) reached.add(scene.operation.id);
      return changed ?? taped;
    }, isOneEnough);
    return found.filter(({ fingerprint }) => !clean.has(fingerprint));
  };
  const selfTest = await driftAnswers(drift);
  const fields = await driftFields(check.document, drift);
  const parameters = await driftParameters(check.document, drift);
  const all = [...check.document.operations.keys()];
  const operations = { of: all.length, unreached: all.filter((id) => !reached.has(id)) };
  return { ...report, selfTest: { ...selfTest, fields, parameters, operations } };
}

async function driftAnswers(
  replayed: Replay,
): Promise<Pick<SelfTest, "of" | "seen" | "missed" | "impossible">> {
  const [seen, missed, impossible]: [string[], string[], string[]] = [[], [], []];
  for (const [says, change] of Object.entries(drifts)) {
    let isIn = false;
    const found = await replayed((scene) => {
      const changed = change(scene);
      isIn ||= changed !== undefined;
      return changed;
    }, true);
    const list = !isIn ? impossible : found.length > 0 ? seen : missed;
    list.push(says);
  }
  return { of: seen.length + missed.length, seen, missed, impossible };
}
