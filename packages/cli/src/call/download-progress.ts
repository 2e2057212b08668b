// The progress of a download on the progress line: bytes, rate and remaining time.
import type { RecordingSource } from "@call-media/client/node";
import { type ProgressLine, toBar, toSize, toTime } from "@call-media/terminal";

interface Received {
  readonly received: number;
  /** Undefined if the service does not announce it. */
  readonly total: number | undefined;
  readonly elapsedMs: number;
}

/** Often enough for a bar that moves. */
const SHOWN_EVERY_MS = 100;

type Recordings = RecordingSource["recordings"];

/** The same recordings, with their progress shown during reading. */
export function showDownloads(recordings: Recordings, line: ProgressLine): Recordings {
  return {
    stream: async (wanted) => {
      const { body, ...announced } = await recordings.stream(wanted);
      const count = createCount((sofar) =>
        line.show(toDownloadLine({ ...sofar, total: announced.bytes })),
      );
      return { ...announced, body: body.pipeThrough(count) };
    },
  };
}

function createCount(show: (sofar: Omit<Received, "total">) => void) {
  const startedMs = performance.now();
  let [received, shownMs] = [0, 0];
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      received += chunk.length;
      controller.enqueue(chunk);
      const elapsedMs = performance.now() - startedMs;
      if (elapsedMs - shownMs < SHOWN_EVERY_MS && shownMs > 0) return;
      shownMs = elapsedMs;
      show({ received, elapsedMs });
    },
  });
}

/** "[=====       ] 42%, 11.3 MB of 27.0 MB, 5.1 MB/s, 0:04 left": in less than 80 columns. */
function toDownloadLine({ received, total, elapsedMs }: Received): string {
  const perSecond = received / (elapsedMs / 1000);
  const rate = `${toSize(perSecond)}/s`;
  if (total === undefined) return [toSize(received), rate].join(", ");
  const size = `${toSize(received)} of ${toSize(total)}`;
  const left = `${toTime((total - received) / perSecond)} left`;
  return [toBar(received / total), size, rate, left].join(", ");
}
