// The witness of the access log while the service runs. It notes the newest row in the archive, next to its recordings, and in the
// service's log. So lost rows are detected later, even by an operator who collects logs elsewhere.
import type { AccessLog } from "@call-media/store";
import type { Logger } from "pino";

// The witness does not cover rows written between two notes, except those for recordings, which the store notes itself.
const NOTE_EVERY_MS = 10_000;

const SAY_EVERY_MS = 5 * 60_000;

/** The newest row, as in lines of the service's log; empty without rows. */
export interface Witnessed {
  readonly accessLogRow?: number;
  readonly accessLogHash?: string;
}

export interface LogWitness {
  /** Notes the newest row. Errors are logged. */
  note(): Promise<Witnessed>;
  close(): void;
}

/** Notes the newest row from now on, and logs it every five minutes, unless it is unchanged. */
export function openLogWitness(accessLog: AccessLog, events: Logger): LogWitness {
  let saidHash: string | undefined;
  let saidMs = performance.now();
  let hasFailed = false;

  const note = async (): Promise<Witnessed> => {
    try {
      const head = await accessLog.witness();
      if (head?.unnoted !== undefined && !hasFailed)
        events.warn({ reason: head.unnoted }, "the access log was not noted beside the recordings");
      hasFailed = head?.unnoted !== undefined;
      return head === undefined ? {} : { accessLogRow: head.seq, accessLogHash: head.hash };
    } catch (err) {
      // Only once, like above: while rows cannot be written, each request reports it.
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
