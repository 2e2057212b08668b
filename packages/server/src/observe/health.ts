// Tells load balancers and supervisors, without credentials, whether the service is up and ready.
import { setTimeout } from "node:timers/promises";
import type { CallStore, Replica } from "@call-media/store";
import type { Logger } from "pino";
import type { Page, PageReply } from "../pages.ts";

export interface Health {
  /**
   * `/healthz`: 200 while the process runs. `/readyz`: 200 if the records can be read and the access log can be written;
   * otherwise, and during shutdown, 503. It names recordings that cannot be reached and the lag of a replica, but stays at 200 for
   * these: other requests still work. It gives no reasons, because strangers may call it; the reasons are in the log.
   */
  readonly pages: ReadonlyMap<string, Page>;
  /** True if recordings can be reached, as `/readyz` reports it. */
  readonly hasRecordings: () => Promise<boolean>;
  /** From now on the service is not ready. */
  readonly stop: () => void;
}

const UP = "/healthz";
const READY = "/readyz";

/** The paths that are requested every few seconds as long as the service runs. */
export const PROBES: ReadonlySet<string> = new Set([UP, READY]);

// Clients may request these at any rate; the archive is checked at most this often.
const CHECK_EVERY_MS = 1_000;

// Probes usually time out after a second. If the check takes longer than this, the last known state counts.
const PATIENCE_MS = 500;

export function createHealth(store: CallStore, events: Logger): Health {
  let isStopping = false;
  const records = createWatch(() => checkRecords(store), {
    onFault: (err) => events.error({ err }, "not ready"),
    onWell: () => events.info("ready again"),
  });
  const media = createWatch(async () => await store.media.reach?.(), {
    onFault: (err) => events.error({ err }, "recordings cannot be reached"),
    onWell: () => events.info("recordings can be reached again"),
  });
  // A place that does not respond must not delay the response about the others.
  const checkMedia = () => Promise.race([media.check(), setTimeout(PATIENCE_MS, media.known)]);
  const { replica } = store;
  const copy =
    replica &&
    createWatch(() => checkLag(replica), {
      onFault: (err) => events.warn({ err }, "the replica is not read"),
      onWell: () => events.info("the replica is read again"),
    });
  return {
    hasRecordings: async () => (await checkMedia()).isWell,
    pages: new Map<string, Page>([
      [UP, () => toReply(200, "ok\n")],
      [
        READY,
        async () => {
          if (isStopping) return toReply(503, "stopping\n");
          const reached = checkMedia();
          await copy?.check();
          return toReadyReply(await records.check(), await reached, replica);
        },
      ],
    ]),
    stop: () => {
      isStopping = true;
    },
  };
}

interface State {
  readonly isWell: boolean;
}

interface Watch {
  readonly known: State;
  /** The state now, or a second ago. */
  readonly check: () => Promise<State>;
}

function createWatch(
  check: () => Promise<unknown>,
  told: { readonly onFault: (error: unknown) => void; readonly onWell: () => void },
): Watch {
  const known = { isWell: true };
  const settle = (isWell: boolean, tell: () => void) => {
    if (isWell !== known.isWell) tell();
    known.isWell = isWell;
  };
  let checked = Promise.resolve();
  let checkedMs = Number.NEGATIVE_INFINITY;
  return {
    known,
    check: async () => {
      if (performance.now() - checkedMs >= CHECK_EVERY_MS) {
        checkedMs = performance.now();
        checked = checked.then(check).then(
          () => settle(true, told.onWell),
          (error: unknown) => settle(false, () => told.onFault(error)),
        );
      }
      await checked;
      return known;
    },
  };
}

// No user has this id; finding that out reads the archive.
const NOBODY = 0;

function checkRecords(store: CallStore): Promise<unknown> {
  return Promise.all([store.users.byId(NOBODY), store.accessLog.check()]);
}

async function checkLag({ lagMs, maxLagMs }: Replica): Promise<void> {
  const behindMs = lagMs();
  if (behindMs > maxLagMs) throw new Error(`it is ${toBehind(behindMs)}`);
}

const toLagLine = ({ lagMs, maxLagMs }: Replica) => {
  const behindMs = lagMs();
  return `replica: ${toBehind(behindMs)}${behindMs > maxLagMs ? ", not read" : ""}\n`;
};

const toBehind = (lagMs: number) =>
  lagMs === Infinity ? "away" : `at most ${Math.ceil(lagMs / 1_000)} s behind`;

function toReadyReply(records: State, media: State, replica?: Replica): PageReply {
  const lag = replica === undefined ? "" : toLagLine(replica);
  if (records.isWell && media.isWell) return toReply(200, `ok\n${lag}`);
  const toWord = ({ isWell }: State) => (isWell ? "ok" : "not ready");
  const body = `records: ${toWord(records)}\nrecordings: ${toWord(media)}\n${lag}`;
  return toReply(records.isWell ? 200 : 503, body);
}

function toReply(status: number, body: string): PageReply {
  return {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    body,
  };
}
