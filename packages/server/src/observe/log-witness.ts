// The witness of the access log while the service runs: the newest row is noted beside the records, and in the service's log,
// so that lost rows show later, in the archive itself and to whoever collects the log elsewhere.
import type { AccessLog } from "@call-media/store";
import type { Logger } from "pino";

// What is written in the meantime is not missed when access.db loses it.
const NOTE_EVERY_MS = 10_000;

const SAY_EVERY_MS = 5 * 60_000;

/** The newest row, as lines of the service's log have it; empty without rows. */
export interface Witnessed {
  readonly accessLogRow?: number;
  readonly accessLogHash?: string;
}

export interface LogWitness {
  /** Notes the newest row. What goes wrong is logged. */
  note(): Promise<Witnessed>;
  close(): void;
}

/** Notes the newest row from now on, and logs it every five minutes, unless it is still the same. */
export function openLogWitness(accessLog: AccessLog, events: Logger): LogWitness {
  let saidHash: string | undefined;
  let saidMs = performance.now();
  let hasFailed = false;

  const note = async (): Promise<Witnessed> => {
    try {
      const head = await accessLog.witness();
      hasFailed = false;
      return head === undefined ? {} : { accessLogRow: head.seq, accessLogHash: head.hash };
    } catch (err) {
      // Once: while rows cannot be written, each request says so.
      if (!hasFailed) events.error({ err }, "the access log was not witnessed");
      hasFailed = true;
      return {};
    }
  };
  const say = async (): Promise<void> => {
    const witnessed = await note();
    const { accessLogHash: hash } = witnessed;
    if (performance.now() - saidMs < SAY_EVERY_MS || hash === undefined || hash === saidHash)
      return;
    events.info(witnessed, "access log");
    [saidHash, saidMs] = [hash, performance.now()];
  };

  const timer = setInterval(() => void say(), NOTE_EVERY_MS);
  return { note, close: () => clearInterval(timer) };
}
