// The sound of one recording: how it is had, played, checked and drawn. Nothing of it is read before somebody plays it.
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { ProtocolError } from "@call-media/client";
import type { Access } from "../access.ts";
import { type Fault, isAbort, toFault } from "../faults.ts";
import { kept } from "../kept.ts";
import type { Moment } from "../route.ts";
import { lock } from "../session.ts";
import { type Channels, type Heard, openChannels } from "./channels.ts";
import { findSilences, type Peaks, type Span } from "./peaks.ts";
import {
  describeRecording,
  type Head,
  readRecording,
  toRecordingUrl,
  type Which,
} from "./recording.ts";
import { isPlaying } from "./playing.ts";
import { hasSoundWorker } from "./sound-worker.ts";
import { decodePeaks, readWave } from "./wave-source.ts";

const isNumber = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value <= 3 ? value : undefined;

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
export const rate = kept("rate", 1, isNumber);
export const volume = kept("volume", 1, isNumber);
export const isMuted = signal(false);
export const isSkipping = kept("skip", false, (value) =>
  typeof value === "boolean" ? value : undefined,
);

/** Why a recording cannot be heard, of which the page has sentences. */
export type Obstacle =
  | { readonly kind: "no-right" | "missing" | "damaged" | "other-bytes" | "too-large" }
  | { readonly kind: "codec"; readonly codec: string }
  | { readonly kind: "fault"; readonly fault: Fault };

export type Integrity = "unchecked" | "checking" | "same" | "other" | "unannounced";

export interface Sound {
  readonly which: Which;
  readonly head: ReadonlySignal<Head | undefined>;
  readonly obstacle: ReadonlySignal<Obstacle | undefined>;
  /** `silent` until somebody plays it. */
  readonly state: ReadonlySignal<"silent" | "loading" | "decoding" | "ready">;
  readonly isPlaying: ReadonlySignal<boolean>;
  readonly isWaiting: ReadonlySignal<boolean>;
  /** In seconds. */
  readonly time: Signal<number>;
  /** In seconds; 0 until it is known. */
  readonly length: ReadonlySignal<number>;
  readonly peaks: ReadonlySignal<Peaks | undefined>;
  /** How much of the wave was read, from 0 to 1; `large` waits for somebody to want it; `none` cannot be. */
  readonly wave: ReadonlySignal<number | "large" | "none" | undefined>;
  readonly silences: ReadonlySignal<readonly Span[]>;
  readonly integrity: ReadonlySignal<Integrity>;
  readonly loop: Signal<{ readonly from: number; readonly to: number | undefined } | undefined>;
  readonly heard: Signal<Heard>;
  readonly play: () => Promise<void>;
  readonly toggle: () => void;
  /** Plays from there, where it has been played before. */
  readonly seek: (seconds: number) => void;
  readonly drawLarge: () => void;
  readonly retry: () => void;
  readonly dispose: () => void;
}

// Up to so many bytes a recording is read once, checked, and played after that: no second of other bytes is ever heard.
const WHOLE_BYTES = 2 ** 20;
// Above so many it cannot be held whole, which is the only way where <audio> cannot ask for itself.
const MOST_WHOLE_BYTES = 64 * 2 ** 20;
// The wave of a larger recording is drawn when somebody wants it: it reads all of it.
const DRAWN_BYTES = 32 * 2 ** 20;
const SKIP_MARGIN_SECONDS = 0.3;

// Of MediaError.
const NETWORK = 2;

export function createSound(access: Access, which: Which, at: Moment | undefined): Sound {
  const element = new Audio();
  const head = signal<Head | undefined>(undefined);
  const obstacle = signal<Obstacle | undefined>(undefined);
  const state = signal<"silent" | "loading" | "decoding" | "ready">("silent");
  const playing = signal(false);
  const isWaiting = signal(false);
  const time = signal(at?.from ?? 0);
  const length = signal(0);
  const peaks = signal<Peaks | undefined>(undefined);
  const wave = signal<number | "large" | "none" | undefined>(undefined);
  const integrity = signal<Integrity>("unchecked");
  const loop = signal<Sound["loop"]["value"]>(
    at?.to === undefined ? undefined : { from: at.from, to: at.to },
  );
  const heard = signal<Heard>("both");
  const silences = computed(() => (peaks.value === undefined ? [] : findSilences(peaks.value)));
  const aborter = new AbortController();
  let channels: Channels | undefined;
  let stopWave: (() => void) | undefined;
  let blobUrl: string | undefined;
  let frame = 0;
  /** Whether what <audio> could not play was decoded here already. */
  let isDecoded = false;

  async function describe(): Promise<void> {
    try {
      const found = await describeRecording(access, which, aborter.signal);
      head.value = found;
      if (found.sha256 === undefined) integrity.value = "unannounced";
    } catch (error) {
      if (!isAbort(error)) obstacle.value = toObstacle(toFault(error));
    }
  }
  const described = describe();

  // <audio> can ask by itself where a cookie or the service worker signs what it asks.
  const canStream = () => access.kind === "session" || hasSoundWorker;

  async function play(): Promise<void> {
    await described;
    if (obstacle.value !== undefined) return;
    if (state.value === "silent") await load();
    if (obstacle.value === undefined) await element.play().catch(() => undefined);
  }

  async function load(): Promise<void> {
    const bytes = head.value?.bytes ?? Infinity;
    state.value = "loading";
    if (bytes > WHOLE_BYTES && canStream()) loadStream();
    else if (bytes > MOST_WHOLE_BYTES && bytes !== Infinity) obstacle.value = { kind: "too-large" };
    else await loadWhole();
  }

  function loadStream(): void {
    // WebKit reads everything more than once unless it is told so before it has an address.
    element.preload = "metadata";
    start(toRecordingUrl(access, which));
    if ((head.value?.bytes ?? Infinity) > DRAWN_BYTES) wave.value = "large";
    else element.addEventListener("loadedmetadata", draw, { once: true });
  }

  function start(url: string): void {
    element.src = url;
    element.currentTime = time.value;
    element.playbackRate = rate.value;
    element.preservesPitch = true;
    state.value = "ready";
  }

  async function loadWhole(isNative = true): Promise<void> {
    try {
      integrity.value = head.value?.sha256 === undefined ? "unannounced" : "checking";
      const { content, contentType, sha256 } = await readRecording(access, which, aborter.signal);
      judge(sha256);
      // Kept for when <audio> does not know it.
      whole = content;
      if (!isNative) return;
      startBlob(new Blob([content], { type: contentType }));
      // It is heard before it is drawn.
      void decodePeaks(content.slice().buffer).then(take);
    } catch (error) {
      if (error instanceof ProtocolError) judge("");
      else if (!isAbort(error)) obstacle.value = toObstacle(toFault(error));
    }
  }
  let whole: Uint8Array | undefined;

  function startBlob(blob: Blob): void {
    if (blobUrl !== undefined) URL.revokeObjectURL(blobUrl);
    blobUrl = URL.createObjectURL(blob);
    start(blobUrl);
  }

  function take(found: Peaks | undefined): void {
    if (found === undefined) return;
    peaks.value = found;
    wave.value = 1;
  }

  function judge(digest: string): void {
    if (head.value?.sha256 === undefined) return;
    integrity.value = digest === head.value.sha256 ? "same" : "other";
    if (integrity.value === "same") return;
    element.pause();
    element.removeAttribute("src");
    obstacle.value = { kind: "other-bytes" };
  }

  function draw(): void {
    stopWave?.();
    integrity.value = head.value?.sha256 === undefined ? "unannounced" : "checking";
    wave.value = 0;
    const request = { access, which, bytes: head.value?.bytes, seconds: element.duration };
    stopWave = readWave(request, {
      onPeaks: (found, share) =>
        batch(() => {
          // Until all is read the rest is still.
          peaks.value = { ...found, seconds: element.duration || found.seconds };
          wave.value = share;
        }),
      onShare: (share) => (wave.value = share),
      onNone: () => (wave.value = "none"),
      onDigest: judge,
    });
  }

  /** What <audio> does not know is decoded here, where there is a decoder for it. */
  async function decode(): Promise<void> {
    state.value = "decoding";
    if (whole === undefined && (head.value?.bytes ?? 0) <= MOST_WHOLE_BYTES) await loadWhole(false);
    if (whole === undefined || obstacle.value !== undefined) return;
    const { decodeRecording } = await import("./formats/decode.ts");
    const decoded = decodeRecording(whole, {
      contentType: head.value?.contentType ?? "",
      filename: head.value?.filename,
    });
    if ("codec" in decoded) {
      obstacle.value = { kind: "codec", codec: decoded.codec };
      return;
    }
    startBlob(decoded.wav);
    void decoded.wav.arrayBuffer().then(decodePeaks).then(take);
    await element.play().catch(() => undefined);
  }

  function onError(): void {
    if (element.error === null || element.getAttribute("src") === null) return;
    if (element.error.code !== NETWORK && !isDecoded) {
      isDecoded = true;
      void decode();
      return;
    }
    // The head tells why: whoever asks may be signed out, the recording damaged or gone.
    time.value = Math.max(time.value, 0);
    void describeRecording(access, which, aborter.signal).then(
      () => (obstacle.value = { kind: "fault", fault: { kind: "unreachable" } }),
      (error: unknown) => {
        const fault = toFault(error);
        if (fault.kind !== "refused") obstacle.value = toObstacle(fault);
      },
    );
    state.value = "silent";
  }

  // Who has signed in again goes on listening where he was.
  const stopLock = effect(() => {
    if (lock.value !== undefined) element.pause();
  });
  const stopSettings = effect(() => {
    element.playbackRate = rate.value;
    element.volume = Math.min(1, volume.value);
    element.muted = isMuted.value;
  });
  const stopHeard = effect(() => {
    if (heard.value === "both" && channels === undefined) return;
    channels ??= openChannels(element);
    channels.hear(heard.value);
  });

  function tick(): void {
    const { currentTime } = element;
    const { value: repeated } = loop;
    if (repeated?.to !== undefined && currentTime >= repeated.to)
      element.currentTime = repeated.from;
    const still = isSkipping.value
      ? silences.value.find(
          ({ from, to }) =>
            currentTime > from + SKIP_MARGIN_SECONDS && currentTime < to - 2 * SKIP_MARGIN_SECONDS,
        )
      : undefined;
    if (still !== undefined) element.currentTime = still.to - SKIP_MARGIN_SECONDS;
    time.value = element.currentTime;
  }
  function follow(): void {
    tick();
    if (playing.value) frame = requestAnimationFrame(follow);
  }
  const setPlaying = (value: boolean) => {
    playing.value = value;
    isPlaying.value = value;
    cancelAnimationFrame(frame);
    if (value) follow();
  };
  const listeners = {
    play: () => setPlaying(true),
    pause: () => setPlaying(false),
    ended: () => setPlaying(false),
    timeupdate: tick,
    durationchange: () =>
      (length.value = Number.isFinite(element.duration) ? element.duration : length.value),
    waiting: () => (isWaiting.value = true),
    playing: () => (isWaiting.value = false),
    error: onError,
  };
  for (const [type, listener] of Object.entries(listeners))
    element.addEventListener(type, listener);

  return {
    which,
    head,
    obstacle,
    state,
    isPlaying: playing,
    isWaiting,
    time,
    length,
    peaks,
    wave,
    silences,
    integrity,
    loop,
    heard,
    play,
    toggle: () => (element.paused ? void play() : element.pause()),
    seek(seconds) {
      time.value = Math.max(0, length.value > 0 ? Math.min(seconds, length.value) : seconds);
      if (state.value === "ready") element.currentTime = time.value;
    },
    drawLarge: draw,
    retry() {
      obstacle.value = undefined;
      state.value = "silent";
      void describe().then(play);
    },
    dispose() {
      aborter.abort();
      stopLock();
      stopSettings();
      stopHeard();
      stopWave?.();
      setPlaying(false);
      channels?.close();
      element.pause();
      // What was heard stays in no memory of the browser.
      element.removeAttribute("src");
      element.load();
      if (blobUrl !== undefined) URL.revokeObjectURL(blobUrl);
    },
  };
}

function toObstacle(fault: Fault): Obstacle {
  if (fault.kind === "forbidden") return { kind: "no-right" };
  if (fault.kind === "missing") return { kind: "missing" };
  return fault.kind === "unavailable" && fault.retryAfterSeconds === undefined
    ? { kind: "damaged" }
    : { kind: "fault", fault };
}
