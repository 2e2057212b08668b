// The <audio> of a recording: position, speed, volume, channels, repeated range and skipped silences.
import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { kept } from "../kept.ts";
import type { Moment } from "../route.ts";
import { lock } from "../session.ts";
import { type Channels, type Heard, type Levels, openChannels } from "./channels.ts";
import type { Span } from "./peaks.ts";

const isNumber = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value <= 3 ? value : undefined;

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
export const rate = kept("rate", 1, isNumber);
export const volume = kept("volume", 1, isNumber);
export const isMuted = signal(false);
export const isSkipping = kept("skip", false, (value) =>
  typeof value === "boolean" ? value : undefined,
);

export interface Playback {
  readonly isPlaying: ReadonlySignal<boolean>;
  /** In seconds. */
  readonly time: Signal<number>;
  /** In seconds; 0 until it is known. */
  readonly length: ReadonlySignal<number>;
  /** The repeated range; without an end it is being chosen. */
  readonly loop: Signal<Moment | undefined>;
  readonly heard: Signal<Heard>;
  /** How loud each channel is; 1 is as recorded. */
  readonly levels: Signal<Levels>;
  /** Gives it something to play, from `time` on. */
  readonly load: (source: string | Blob) => void;
  /** Resolves when it plays, or cannot. */
  readonly play: () => Promise<void>;
  readonly pause: () => void;
  /** Plays from there, where it has been played before. */
  readonly seek: (seconds: number) => void;
  /** Has nothing to play any more. */
  readonly unload: () => void;
  readonly dispose: () => void;
}

export interface PlaybackOptions {
  readonly at: Moment | undefined;
  readonly silences: ReadonlySignal<readonly Span[]>;
  /** The source cannot be played; `isNetwork` if it could not be fetched. */
  readonly onError: (isNetwork: boolean) => void;
  /** Its length is known. */
  readonly onReady: () => void;
  /** It was played to its end. */
  readonly onEnd: () => void;
}

// This much of a skipped silence stays at either end.
const MARGIN_SECONDS = 0.3;

export function createPlayback(options: PlaybackOptions): Playback {
  const { at, silences, onError, onReady, onEnd } = options;
  const element = new Audio();
  const isPlaying = signal(false);
  const time = signal(at?.from ?? 0);
  const length = signal(0);
  const loop = signal(at?.to === undefined ? undefined : at);
  const heard = signal<Heard>("both");
  const levels = signal<Levels>([1, 1]);
  let channels: Channels | undefined;
  let url: string | undefined;
  let frame = 0;

  const hasSource = () => element.getAttribute("src") !== null;

  function tick(): void {
    const { currentTime } = element;
    const { value: repeated } = loop;
    const still = isSkipping.value ? findStill(silences.value, currentTime) : undefined;
    if (repeated?.to !== undefined && currentTime >= repeated.to)
      element.currentTime = repeated.from;
    else if (still !== undefined) element.currentTime = still.to - MARGIN_SECONDS;
    if (hasSource()) time.value = element.currentTime;
  }

  function follow(): void {
    tick();
    if (isPlaying.value) frame = requestAnimationFrame(follow);
  }

  function setPlaying(value: boolean): void {
    isPlaying.value = value;
    cancelAnimationFrame(frame);
    if (value) follow();
  }

  function unload(): void {
    element.pause();
    // No recording stays in the browser's memory.
    element.removeAttribute("src");
    element.load();
    if (url !== undefined) URL.revokeObjectURL(url);
    url = undefined;
  }

  const listeners = {
    play: () => setPlaying(true),
    pause: () => setPlaying(false),
    ended: () => {
      setPlaying(false);
      onEnd();
    },
    timeupdate: tick,
    durationchange: () => {
      if (Number.isFinite(element.duration)) length.value = element.duration;
    },
    loadedmetadata: onReady,
    error: () => {
      if (element.error !== null && hasSource())
        onError(element.error.code === MediaError.MEDIA_ERR_NETWORK);
    },
  };
  for (const [type, listener] of Object.entries(listeners))
    element.addEventListener(type, listener);

  const stops = [
    // After signing in again the user continues listening at the same position.
    effect(() => {
      if (lock.value !== undefined) element.pause();
    }),
    effect(() => {
      element.playbackRate = rate.value;
      element.volume = Math.min(1, volume.value);
      element.muted = isMuted.value;
    }),
    effect(() => {
      const isUsual = heard.value === "both" && levels.value.every((level) => level === 1);
      if (isUsual && channels === undefined) return;
      channels ??= openChannels(element);
      channels.hear(heard.value, levels.value);
    }),
  ];

  return {
    isPlaying,
    time,
    length,
    loop,
    heard,
    levels,
    load(source) {
      if (url !== undefined) URL.revokeObjectURL(url);
      url = source instanceof Blob ? URL.createObjectURL(source) : undefined;
      // WebKit reads everything more than once unless this is set before the address.
      element.preload = "metadata";
      element.src = source instanceof Blob ? (url ?? "") : source;
      element.currentTime = time.value;
      element.playbackRate = rate.value;
      element.preservesPitch = true;
    },
    play: () => element.play().catch(() => undefined),
    pause: () => element.pause(),
    seek(seconds) {
      time.value = Math.max(0, length.value > 0 ? Math.min(seconds, length.value) : seconds);
      if (hasSource()) element.currentTime = time.value;
    },
    unload,
    dispose() {
      for (const stop of stops) stop();
      setPlaying(false);
      channels?.close();
      unload();
    },
  };
}

const findStill = (silences: readonly Span[], seconds: number): Span | undefined =>
  silences.find(
    ({ from, to }) => seconds > from + MARGIN_SECONDS && seconds < to - 2 * MARGIN_SECONDS,
  );
