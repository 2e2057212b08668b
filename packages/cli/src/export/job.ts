// The job of a run: plan, service, folder, and the state that all of its parts share.
import { type CallFilter, createCallFilter, createClock, toJudge } from "@call-media/conditions";
import type { CallMediaClient } from "@call-media/client";
import {
  createMuting,
  createRedaction,
  type Exporter,
  listMasked,
  type Muting,
  readChatText,
  type Redaction,
} from "@call-media/handover";
import { createConnection } from "../access/connect.ts";
import type { ParsedTarget } from "../access/target.ts";
import { parseWhere } from "../search/where.ts";
import type { ExportFolder } from "./folder/export-folder.ts";
import type { Plan } from "./plan/plan.ts";
import type { SearchContext } from "./plan/search-days.ts";
import type { Tally } from "./tally.ts";
import { REQUEST_TIMEOUT_MS } from "./throttle/pause.ts";
import { countSent, retry } from "./throttle/retry.ts";
import type { Throttle } from "./throttle/throttle.ts";

export interface Job {
  readonly folder: ExportFolder;
  readonly plan: Plan;
  readonly client: CallMediaClient;
  readonly search: SearchContext;
  readonly throttle: Throttle;
  readonly signal: AbortSignal;
  /** Ends the run. The first error is the one reported. */
  readonly stop: (error: unknown) => void;
  readonly tally: Tally;
  readonly redaction: Redaction;
  readonly muting: Muting;
  /** The user who exports, and mutes. */
  readonly by: Exporter;
  readonly where: CallFilter["filter"];
  /** True if the export was complete before: every file is checked, so that a lost one is fetched again. */
  readonly isRepair: boolean;
  /** True if everything else is done, and only failed files are tried again. */
  readonly isLastTry: boolean;
}

interface JobOptions extends Omit<Job, "client" | "redaction" | "muting" | "where" | "isLastTry"> {
  /** Called with datetimes that `where` cannot compare. */
  readonly onUnreadable: (datetime: string) => void;
}

export function createJob({ onUnreadable, ...shared }: JobOptions): Job {
  return {
    ...shared,
    client: shared.search.client,
    isLastTry: false,
    redaction: createRedaction(listMasked(shared.plan)),
    muting: createMuting(shared.plan.mute),
    where: createWhere({ ...shared, onUnreadable }),
  };
}

/** The condition of the plan as a filter of records. */
export function createWhere({
  plan,
  search: { client, signal, archiveZone },
  onUnreadable,
}: Pick<JobOptions, "plan" | "search" | "onUnreadable">): Job["where"] {
  const clock = createClock({ archiveZone, onUnreadable });
  const judge = toJudge(toCondition(plan), clock);
  const readText = (call_id: string) => retry(() => readChatText(client, call_id, signal));
  const { filter } = createCallFilter(judge, { readText });
  if (plan.ids === undefined) return filter;
  // The condition is case-insensitive (D08), and would also match another call whose identifier differs in case.
  const ids = new Set(plan.ids);
  return (records) => filter(records.filter(({ call_id }) => ids.has(String(call_id))));
}

const toCondition = ({ where }: Plan) => (where === null ? undefined : parseWhere(where).condition);

/** The export retries too, so the client only bridges failures of some seconds. */
const MAX_RETRIES = 4;

/** Returns a function that opens the search of a plan. All of its clients share one sign-in. */
export function createSearching(
  target: ParsedTarget,
  { throttle, signal }: Pick<Job, "throttle" | "signal">,
): (plan: Plan) => SearchContext {
  const tokens = new Map<string, string>();
  const options = {
    fetch: countSent(throttle.fetch),
    maxRetries: MAX_RETRIES,
    tryTimeoutMs: REQUEST_TIMEOUT_MS,
    tokenStore: {
      get: async (key: string) => tokens.get(key),
      set: async (key: string, value: string) => tokens.set(key, value),
      delete: async (key: string) => tokens.delete(key),
    },
  };
  return (plan) => {
    const { endDate = plan.endDate } = target.service ?? {};
    const service = { ...target.service, endDate };
    const { client, archiveZone } = createConnection({ ...target, service }, options);
    return { client, archiveZone, wanted: { ...plan, condition: toCondition(plan) }, signal };
  };
}
