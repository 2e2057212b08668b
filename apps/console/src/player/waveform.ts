// The wave of a recording while it is drawn: from bytes in memory, or by a worker that reads a long recording again.
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { findSilences, type Peaks, type Span } from "./peaks.ts";
import { decodePeaks, readWave, type WaveListener, type WaveRequest } from "./wave-source.ts";

/** The length of what was decoded; with its bytes, if they are in memory. */
export interface Decoded {
  readonly seconds: number;
  readonly content?: Blob;
}

export interface Waveform {
  readonly peaks: ReadonlySignal<Peaks | undefined>;
  /** The share of the wave read so far, from 0 to 1; `large` waits for the user; `none` cannot be drawn. */
  readonly wave: Signal<number | "large" | "none" | undefined>;
  readonly silences: ReadonlySignal<readonly Span[]>;
  readonly decoded: ReadonlySignal<Decoded | undefined>;
  /** Playback does not wait for it. */
  readonly drawBlob: (blob: Blob) => void;
  readonly drawLong: (
    request: WaveRequest,
    listener: Pick<WaveListener, "onMeasured" | "onDigest">,
  ) => void;
  readonly stop: () => void;
}

/** Calls `onDecoded` whenever `decoded` changes. */
export function createWaveform(onDecoded: () => void): Waveform {
  const peaks = signal<Peaks | undefined>(undefined);
  const wave = signal<Waveform["wave"]["value"]>(undefined);
  const decoded = signal<Decoded | undefined>(undefined);
  let stop: (() => void) | undefined;
  const setDecoded = (found: Decoded | undefined) => {
    decoded.value = found;
    onDecoded();
  };
  return {
    peaks,
    wave,
    silences: computed(() => (peaks.value === undefined ? [] : findSilences(peaks.value))),
    decoded,
    drawBlob(blob) {
      void blob
        .arrayBuffer()
        .then(decodePeaks)
        .then((found) => {
          if (found !== undefined) batch(() => ([peaks.value, wave.value] = [found, 1]));
          return setDecoded(found && { seconds: found.seconds, content: blob });
        });
    },
    drawLong(request, listener) {
      stop?.();
      wave.value = 0;
      stop = readWave(request, {
        ...listener,
        // Shows the unread rest as silence.
        onPeaks: (found, share) =>
          batch(() => {
            peaks.value = { ...found, seconds: request.seconds || found.seconds };
            wave.value = share;
          }),
        onShare: (share) => (wave.value = share),
        onLength: (seconds) => setDecoded({ seconds }),
        onNone: () => (wave.value = "none"),
      });
    },
    stop: () => stop?.(),
  };
}
