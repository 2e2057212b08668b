// A service from start to shutdown: on a socket, with monitoring, and stopped by a signal without losing a response.
import type { CallStore } from "@call-media/store";
import { io } from "@call-media/terminal";
import { listen, type Listening, type ListenOptions } from "../listen.ts";
import { createLog, type Log, type LogOptions } from "../observe/log.ts";
import { type LogWitness, openLogWitness } from "../observe/log-witness.ts";
import { openObserver, type Observer } from "../observe/observer.ts";
import { openReadBack } from "../observe/read-back.ts";
import type { OperatorPlace } from "../observe/operator-port.ts";
import { loadPages } from "../documentation.ts";
import { warnOfFewFiles } from "../open-files.ts";
import { createListener, type ListenerOptions } from "../listener.ts";

export interface RunOptions
  extends ListenOptions, Omit<ListenerOptions, "store" | "pages" | "onEnd"> {
  readonly log: LogOptions;
  /** Undefined: no metrics. */
  readonly metrics?: OperatorPlace | undefined;
  /** See `MetricSources`. */
  readonly certificateEndMs?: (() => number | undefined) | undefined;
  /** How long responses in flight may take after the signal to stop. */
  readonly shutdownTimeoutMs: number;
  /** Called when requests are accepted. */
  readonly onListening: (listening: Listening, log: Log) => void;
}

/** A fault of this program ended the service. */
const FAILED = 1;

/** The service has stopped on request, but not every response could be sent. */
const SOME_CUT = 2;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Resolves when the service has stopped, after SIGINT or SIGTERM. The exit code is 2 if responses had to be cut off. It
 * is 1 if an uncaught exception ended the service, which may have left other work undone.
 */
export async function runService(store: CallStore, options: RunOptions): Promise<void> {
  const log = createLog(options.log);
  // Registered before the program reports that it runs: otherwise the first signal might end it immediately.
  using end = waitForEnd(log);
  try {
    const witness = openLogWitness(store.accessLog, log.events);
    try {
      await serveUntilStopped(store, { log, witness, end }, options);
    } finally {
      witness.close();
    }
    log.events.info(await witness.note(), "stopped");
  } finally {
    await log.close();
  }
}

async function serveUntilStopped(
  store: CallStore,
  { log, witness, end }: { readonly log: Log; readonly witness: LogWitness; readonly end: End },
  options: RunOptions,
): Promise<void> {
  const { metrics, certificateEndMs } = options;
  await using observer = await openObserver({ store, log, metrics, certificateEndMs });
  const listener = await createWatched(store, observer, options);
  const listening = await listen(listener, { ...options, watch: observer.connections });
  const { version: node, pid } = process;
  const urls = { url: listening.baseUrl, metrics: observer.metricsUrl };
  log.events.info({ ...urls, node, pid, ...(await witness.note()) }, "started");
  await warnOfFewFiles(log.events);
  options.onListening(listening, log);
  const { countUnderWay } = observer;
  const walk =
    store.readBack && openReadBack(store.readBack, { events: log.events, countUnderWay });

  const signal = await end.told;
  // A step of the walk may wait for a bucket, so the service stops accepting requests meanwhile.
  const walked = walk?.[Symbol.asyncDispose]();
  if (signal === undefined) io().exitCode = FAILED;
  else log.events.info({ signal, underWay: observer.countUnderWay() }, "stopping");
  observer.stop();
  const afterMs = signal === undefined ? 0 : options.shutdownTimeoutMs;
  await listening.closeWithin(afterMs, () => {
    const cut = observer.countUnderWay();
    log.events.warn({ cut, afterMs }, "cut to stop in time");
    if (cut > 0) io().exitCode ??= SOME_CUT;
  });
  await walked;
}

async function createWatched(store: CallStore, observer: Observer, options: RunOptions) {
  const pages = new Map([...(await loadPages()), ...observer.pages]);
  return observer.watch(createListener({ ...options, store, pages, onEnd: observer.onEnd }));
}

/** Ends the service. Disposing of it leaves signals and exceptions to the process. */
interface End extends Disposable {
  /**
   * The first signal; undefined after an uncaught exception, which has been logged by then. The next signal
   * has no handler, and the next exception also ends the program immediately, whatever it waits for.
   */
  readonly told: Promise<NodeJS.Signals | undefined>;
}

function waitForEnd({ events }: Log): End {
  const { signals = process } = io();
  const { promise: told, resolve } = Promise.withResolvers<NodeJS.Signals | undefined>();
  const onSignal = (signal: NodeJS.Signals) => {
    for (const name of SIGNALS) signals.off(name, onSignal);
    resolve(signal);
  };
  const onSecond = (err: unknown) => {
    events.error({ err }, "failed again");
    process.exit(FAILED);
  };
  // An unhandled rejection arrives here too.
  const onException = (err: unknown) => {
    process.off("uncaughtException", onException);
    events.error({ err }, "failed");
    process.on("uncaughtException", onSecond);
    resolve(undefined);
  };
  for (const name of SIGNALS) signals.on(name, onSignal);
  process.on("uncaughtException", onException);
  return {
    told,
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) signals.off(name, onSignal);
      process.off("uncaughtException", onException);
      process.off("uncaughtException", onSecond);
    },
  };
}
