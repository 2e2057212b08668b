// The <audio> element of a recording: position, speed, volume, channels, repeated range and skipped silences.
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
  /** In seconds; 0 until known. */
  readonly length: ReadonlySignal<number>;
  /** The repeated range; without an end, the user is still choosing it. */
  readonly loop: Signal<Moment | undefined>;
  readonly heard: Signal<Heard>;
  /** The volume of each channel; 1 is the recorded level. */
  readonly levels: Signal<Levels>;
  /** Sets the source, to play from `time` on. */
  readonly load: (source: string | Blob) => void;
  /** Resolves once it plays, or fails to. */
  readonly play: () => Promise<void>;
  readonly pause: () => void;
  /** Moves to a position, even before a source is loaded. */
  readonly seek: (seconds: number) => void;
  /** Removes the source. */
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
  /** The end was reached. */
  readonly onEnd: () => void;
}

// This much of a skipped silence remains at each end.
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
    // Removes the recording from the browser's memory.
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
    // Pauses only, so that the user continues at the same position after signing in again.
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
      // WebKit reads everything more than once unless this is set before the source.
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
