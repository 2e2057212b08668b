// The sound of one recording: fetched, checked and drawn. Nothing is read before the user plays it.
import { isCallMediaError, ProtocolError } from "@call-media/client";
import type { MeasuredSound } from "@call-media/handover";
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Access } from "../access.ts";
import { isAbort, toFault } from "../faults.ts";
import type { Moment } from "../route.ts";
import { findSilences, type Peaks, type Span } from "./peaks.ts";
import { type Obstacle, toObstacle } from "./obstacle.ts";
import { createPlayback, type Playback } from "./playback.ts";
import {
  describeRecording,
  type Head,
  readRecording,
  toRecordingUrl,
  type Which,
} from "./recording.ts";
import { hasSoundWorker } from "./sound-worker.ts";
import { decodePeaks, readWave } from "./wave-source.ts";

export type Integrity = "unchecked" | "checking" | "same" | "other" | "unannounced";

type Controls = Pick<
  Playback,
  "isPlaying" | "time" | "length" | "loop" | "heard" | "levels" | "seek"
>;

export interface Sound extends Controls {
  readonly which: Which;
  readonly head: ReadonlySignal<Head | undefined>;
  readonly obstacle: ReadonlySignal<Obstacle | undefined>;
  /** `silent` until the user plays it. */
  readonly state: ReadonlySignal<"silent" | "loading" | "decoding" | "ready">;
  readonly peaks: ReadonlySignal<Peaks | undefined>;
  /** The share of the wave read so far, from 0 to 1; `large` waits for the user; `none` cannot be drawn. */
  readonly wave: ReadonlySignal<number | "large" | "none" | undefined>;
  readonly silences: ReadonlySignal<readonly Span[]>;
  readonly integrity: ReadonlySignal<Integrity>;
  /** Once all bytes were read. */
  readonly measured: ReadonlySignal<MeasuredSound | undefined>;
  readonly play: () => Promise<void>;
  readonly toggle: () => void;
  readonly drawLarge: () => void;
  readonly retry: () => void;
  readonly dispose: () => void;
}

// A recording up to this size is read once, checked, and then played, so that no wrong bytes are ever heard.
const WHOLE_BYTES = 2 ** 20;
// Above this size a recording cannot be held in memory, which is the only way if <audio> cannot request it.
const MOST_WHOLE_BYTES = 64 * 2 ** 20;
// A larger difference than the samples that decoders add at either end.
const LENGTH_SHARE = 0.01;
const LEAST_SECONDS = 0.3;
// Above this size the wave is drawn on request only, because drawing reads the complete recording.
const DRAWN_BYTES = 32 * 2 ** 20;

export interface SoundOptions {
  /** Where to start, and the range to repeat. */
  readonly at?: Moment | undefined;
  /** Called when the user presses its Play. */
  readonly onPlay: () => void;
  /** Called when the end is reached. */
  readonly onEnd: () => void;
}

export function createSound(
  access: Access,
  which: Which,
  { at, onPlay, onEnd }: SoundOptions,
): Sound {
  const head = signal<Head | undefined>(undefined);
  const obstacle = signal<Obstacle | undefined>(undefined);
  const state = signal<Sound["state"]["value"]>("silent");
  const peaks = signal<Peaks | undefined>(undefined);
  const wave = signal<Sound["wave"]["value"]>(undefined);
  const integrity = signal<Integrity>("unchecked");
  const measured = signal<MeasuredSound | undefined>(undefined);
  const silences = computed(() => (peaks.value === undefined ? [] : findSilences(peaks.value)));
  const aborter = new AbortController();
  const { signal: aborted } = aborter;
  const playback = createPlayback({ at, silences, onError, onReady, onEnd });
  /** The bytes if read completely, in case <audio> cannot play them. */
  let whole: Uint8Array | undefined;
  let stopWave: (() => void) | undefined;
  /** True if this module already decoded the recording because <audio> could not play it. */
  let isDecoded = false;
  let isStream = false;
  /** True once <audio> knows the length that the file declares. */
  let isReady = false;
  let decodedLength: { readonly seconds: number; readonly content?: Blob } | undefined;

  const fail = (error: unknown) => {
    if (isAbort(error)) return;
    const isAmbiguous = isCallMediaError(error) && error.code === "CLIENT_AMBIGUOUS_RECORDING";
    obstacle.value = isAmbiguous ? { kind: "ambiguous" } : toObstacle(toFault(error));
  };

  async function describe(): Promise<void> {
    try {
      head.value = await describeRecording(access, which, aborted);
      if (head.value.sha256 === undefined) integrity.value = "unannounced";
    } catch (error) {
      fail(error);
    }
  }
  let described = describe();

  async function play(): Promise<void> {
    onPlay();
    await described;
    if (aborted.aborted) return;
    const { value: known } = head;
    if (known === undefined) return;
    if (obstacle.value === undefined && state.value === "silent") await load(known);
    if (obstacle.value === undefined) await playback.play();
  }

  async function load(known: Head): Promise<void> {
    const { bytes = Infinity, wanted } = known;
    // <audio> can send requests itself if a cookie or the service worker signs them.
    isStream = bytes > WHOLE_BYTES && (access.kind === "session" || hasSoundWorker);
    state.value = "loading";
    if (isStream) start(toRecordingUrl(access, wanted));
    else if (bytes > MOST_WHOLE_BYTES && bytes !== Infinity) obstacle.value = { kind: "too-large" };
    else await loadWhole(known);
  }

  function start(source: string | Blob): void {
    playback.load(source);
    state.value = "ready";
  }

  function onReady(): void {
    isReady = true;
    void checkLength();
    if (!isStream) whole = undefined;
    else if ((head.value?.bytes ?? Infinity) > DRAWN_BYTES) wave.value ??= "large";
    else if (wave.value === undefined) draw();
  }

  async function loadWhole(known: Head): Promise<void> {
    await readWhole(known);
    if (whole === undefined) return;
    const blob = new Blob([Uint8Array.from(whole)], { type: known.contentType });
    start(blob);
    drawBlob(blob);
  }

  async function readWhole(known: Head): Promise<void> {
    integrity.value = known.sha256 === undefined ? "unannounced" : "checking";
    try {
      const { content, sha256 } = await readRecording(access, known, aborted);
      judge(sha256);
      whole = content;
      void import("./measure.ts").then(({ measure }) => (measured.value = measure(content, known)));
    } catch (error) {
      if (error instanceof ProtocolError) judge("");
      else fail(error);
    }
  }

  /** Draws the wave; playback does not wait for it. */
  function drawBlob(blob: Blob): void {
    void blob
      .arrayBuffer()
      .then(decodePeaks)
      .then((found) => {
        if (found !== undefined) batch(() => ([peaks.value, wave.value] = [found, 1]));
        decodedLength = found && { seconds: found.seconds, content: blob };
        return checkLength();
      });
  }

  function judge(sha256: string): void {
    if (head.value?.sha256 === undefined) return;
    integrity.value = sha256 === head.value.sha256 ? "same" : "other";
    if (integrity.value === "same") return;
    playback.unload();
    obstacle.value = { kind: "other-bytes" };
  }

  function draw(): void {
    stopWave?.();
    const { value: known } = head;
    if (known === undefined) return;
    integrity.value = known.sha256 === undefined ? "unannounced" : "checking";
    wave.value = 0;
    const seconds = playback.length.value;
    stopWave = readWave(
      { access, head: known, seconds },
      {
        // Shows the unread rest as silence.
        onPeaks: (found, share) =>
          batch(() => {
            peaks.value = { ...found, seconds: seconds || found.seconds };
            wave.value = share;
          }),
        onShare: (share) => (wave.value = share),
        onLength(found) {
          decodedLength = { seconds: found };
          void checkLength();
        },
        onNone: () => (wave.value = "none"),
        onMeasured: (sound) => (measured.value = sound),
        onDigest: judge,
      },
    );
  }

  /** Decodes a format that <audio> does not know, if a decoder exists. */
  async function decode(): Promise<void> {
    const { value: known } = head;
    if (known === undefined) return;
    state.value = "decoding";
    if (whole === undefined && (known.bytes ?? 0) <= MOST_WHOLE_BYTES) await readWhole(known);
    if (whole === undefined || obstacle.value !== undefined) return;
    const { decodeRecording } = await import("@call-media/sound/decode");
    const { contentType, filename } = known;
    const decoded = decodeRecording(whole, { contentType, filename });
    if ("codec" in decoded) {
      obstacle.value = { kind: "codec", codec: decoded.codec };
      return;
    }
    isStream = false;
    start(decoded.wav);
    drawBlob(decoded.wav);
    await playback.play();
  }

  /** Plays the decoded sound if the file declares no length or a wrong one, so that a click in the wave finds its place. */
  async function checkLength(): Promise<void> {
    const { value: known } = head;
    if (!isReady || isDecoded || known === undefined || decodedLength === undefined) return;
    const { seconds, content } = decodedLength;
    const difference = Math.abs(seconds - playback.length.value);
    if (difference < Math.max(LEAST_SECONDS, LENGTH_SHARE * seconds)) return;
    isDecoded = true;
    if (content === undefined) await readWhole(known);
    const blob = content ?? (whole && new Blob([Uint8Array.from(whole)]));
    whole = undefined;
    if (blob === undefined) return;
    const { decodeByBrowser } = await import("./decode-by-browser.ts");
    const wav = await decodeByBrowser(blob, known.sound?.rate);
    if (wav === undefined || aborted.aborted) return;
    const { value: isOn } = playback.isPlaying;
    isStream = false;
    start(wav);
    if (isOn) await playback.play();
  }

  function onError(isNetwork: boolean): void {
    if (!isNetwork && !isDecoded) {
      isDecoded = true;
      void decode();
      return;
    }
    state.value = "silent";
    // A HEAD request finds the reason: the user may be signed out, or the recording damaged or missing.
    void describeRecording(access, which, aborted).then(
      () => (obstacle.value = { kind: "fault", fault: { kind: "unreachable" } }),
      (error: unknown) => {
        if (toFault(error).kind !== "refused") fail(error);
      },
    );
  }

  return {
    ...playback,
    which,
    head,
    obstacle,
    state,
    peaks,
    wave,
    silences,
    integrity,
    measured,
    play,
    toggle: () => (playback.isPlaying.value ? playback.pause() : void play()),
    drawLarge: draw,
    retry() {
      obstacle.value = undefined;
      state.value = "silent";
      described = describe();
      void play();
    },
    dispose() {
      aborter.abort();
      stopWave?.();
      playback.dispose();
    },
  };
}
