// All that working on windows takes, made of the plan of an export and who it is exported for.
import type { TokenStore } from "@call-media/client";
import { createRedaction, listMasked } from "@call-media/handover";
import { createConnection } from "../../access/connect.ts";
import type { ParsedTarget } from "../../access/target.ts";
import { createClock } from "../../search/clock.ts";
import { toArchiveOffset } from "../../search/time-zone.ts";
import { type CallFilter, createCallFilter, readChatText } from "../../search/where/call-filter.ts";
import { parseWhere } from "../../search/where/where.ts";
import { countSent } from "../asking/attempts.ts";
import type { Pace } from "../asking/pace.ts";
import { tryAgain } from "../asking/passing.ts";
import { REQUEST_TIMEOUT_MS } from "../asking/pause.ts";
import type { ExportFolder } from "../folder/files.ts";
import type { Asked } from "../plan/days.ts";
import type { Plan } from "../plan/plan.ts";
import type { WindowWork } from "./window.ts";

export interface Work extends WindowWork {
  readonly asked: Asked;
  readonly where: CallFilter["filter"];
  /** Of an export that had come to its end. */
  readonly isRepair: boolean;
}

/** What is exported, from where and into which folder. */
interface Order {
  readonly folder: ExportFolder;
  readonly plan: Plan;
  readonly target: ParsedTarget;
  readonly isRepair: boolean;
  /** Is told of datetimes that `where` cannot compare. */
  readonly onUnreadable: (datetime: string) => void;
}

type Means = Pick<Work, "asked" | "pace" | "signal" | "tally" | "stop">;

export function createWork(order: Order, means: Means): Work {
  const { folder, plan, target, isRepair, onUnreadable } = order;
  const archiveOffsetMinutes = toArchiveOffset(target.service ?? {});
  const clock = createClock({ archiveOffsetMinutes, onUnreadable });
  const judge = plan.where === null ? () => true : parseWhere(plan.where).by(clock);
  const { client } = means.asked;
  const readText = (call_id: string) => tryAgain(() => readChatText(client, call_id, means.signal));
  return {
    ...means,
    plan,
    client,
    folder,
    isRepair,
    isLastTry: false,
    redaction: createRedaction(listMasked(plan)),
    where: createCallFilter(judge, { readText }).filter,
  };
}

/** The engine tries again itself, so that a few of the client's own tries suffice for what passes in seconds. */
const MAX_RETRIES = 4;

/** How the service is asked for what a plan wants: signed in once, whatever the plan becomes when more is known of the service. */
export function createAsking(
  target: ParsedTarget,
  { pace, signal }: { readonly pace: Pick<Pace, "fetch">; readonly signal: AbortSignal },
): (plan: Plan) => Asked {
  const options = {
    fetch: countSent(pace.fetch),
    maxRetries: MAX_RETRIES,
    tryTimeoutMs: REQUEST_TIMEOUT_MS,
    tokenStore: createTokenStore(),
  };
  return (plan) => {
    const { endDate = plan.endDate } = target.service ?? {};
    const service = { ...target.service, endDate };
    const { client } = createConnection({ ...target, service }, options);
    return { client, wanted: plan, signal };
  };
}

/** Of this process alone. */
function createTokenStore(): TokenStore {
  const tokens = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(tokens.get(key)),
    set: (key, value) => Promise.resolve(tokens.set(key, value)),
    delete: (key) => Promise.resolve(tokens.delete(key)),
  };
}
