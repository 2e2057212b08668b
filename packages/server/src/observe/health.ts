// Whether the service is up and whether it can answer: for load balancers and supervisors, without credentials.
import type { CallStore } from "@call-media/store";
import type { Logger } from "pino";
import type { Page, PageReply } from "../pages.ts";

export interface Health {
  /**
   * `/healthz`: 200 while the process runs. `/readyz`: 200 when the archive can be read and the access log written, 503
   * when not and while the service is stopping. A word and no reason: strangers may ask; the reason is in the log.
   */
  readonly pages: ReadonlyMap<string, Page>;
  /** From now on the service is not ready. */
  readonly stop: () => void;
}

const UP = "/healthz";
const READY = "/readyz";

/** The paths that are asked every few seconds as long as the service runs. */
export const PROBES: ReadonlySet<string> = new Set([UP, READY]);

// Anybody may ask, as often as they like; the archive is not asked more often than this.
const CHECK_EVERY_MS = 1_000;

export function createHealth(store: CallStore, events: Logger): Health {
  let isStopping = false;
  const isReady = createReadiness(store, events);
  return {
    pages: new Map<string, Page>([
      [UP, () => toReply(true)],
      [READY, async () => toReply(!isStopping && (await isReady()))],
    ]),
    stop: () => {
      isStopping = true;
    },
  };
}

function createReadiness(store: CallStore, events: Logger): () => Promise<boolean> {
  let known = Promise.resolve(true);
  let checkedMs = Number.NEGATIVE_INFINITY;
  const check = async (wasReady: boolean): Promise<boolean> => {
    const fault = await findFault(store);
    const isReady = fault === undefined;
    if (!isReady && wasReady) events.error({ err: fault }, "not ready");
    if (isReady && !wasReady) events.info("ready again");
    return isReady;
  };
  return () => {
    if (performance.now() - checkedMs >= CHECK_EVERY_MS) {
      checkedMs = performance.now();
      known = known.then(check);
    }
    return known;
  };
}

// No user has this id; finding that out reads the archive.
const NOBODY = 0;

function findFault(store: CallStore): Promise<unknown> {
  return Promise.all([store.users.byId(NOBODY), store.accessLog.check()]).then(
    () => undefined,
    (error: unknown) => error,
  );
}

function toReply(isWell: boolean): PageReply {
  return {
    status: isWell ? 200 : 503,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    body: isWell ? "ok\n" : "not ready\n",
  };
}
