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
  const { at, silences } = options;
  const element = new Audio();
  const time = signal(at?.from ?? 0);
  const length = signal(0);
  const loop = signal(at?.to === undefined ? undefined : at);
  const heard = signal<Heard>("both");
  const levels = signal<Levels>([1, 1]);
  const source = createSource(element);
  const clock = createClock(() => {
    const to = findJump(element.currentTime, loop.value, silences);
    if (to !== undefined) element.currentTime = to;
    if (source.isSet()) time.value = element.currentTime;
  });
  listen(element, {
    play: () => clock.run(true),
    pause: () => clock.run(false),
    ended: () => {
      clock.run(false);
      options.onEnd();
    },
    timeupdate: clock.tick,
    durationchange: () => {
      if (Number.isFinite(element.duration)) length.value = element.duration;
    },
    loadedmetadata: options.onReady,
    error: () => {
      if (element.error !== null && source.isSet())
        options.onError(element.error.code === MediaError.MEDIA_ERR_NETWORK);
    },
  });
  const stopSettings = applySettings(element, heard, levels);
  return {
    isPlaying: clock.isRunning,
    time,
    length,
    loop,
    heard,
    levels,
    load: (from) => source.load(from, time.value),
    play: () => element.play().catch(() => undefined),
    pause: () => element.pause(),
    seek(seconds) {
      time.value = Math.max(0, length.value > 0 ? Math.min(seconds, length.value) : seconds);
      if (source.isSet()) element.currentTime = time.value;
    },
    unload: () => source.unload(),
    dispose() {
      stopSettings();
      clock.run(false);
      source.unload();
    },
  };
}

function listen(element: HTMLAudioElement, listeners: Readonly<Record<string, () => void>>): void {
  for (const [type, listener] of Object.entries(listeners))
    element.addEventListener(type, listener);
}

/** The source of the audio element, and the memory that it takes. */
function createSource(element: HTMLAudioElement) {
  let url: string | undefined;
  const revoke = () => {
    if (url !== undefined) URL.revokeObjectURL(url);
    url = undefined;
  };
  return {
    isSet: () => element.getAttribute("src") !== null,
    load(source: string | Blob, seconds: number): void {
      revoke();
      if (source instanceof Blob) url = URL.createObjectURL(source);
      // WebKit reads everything more than once unless this is set before the source.
      element.preload = "metadata";
      element.src = source instanceof Blob ? (url ?? "") : source;
      element.currentTime = seconds;
      element.playbackRate = rate.value;
      element.preservesPitch = true;
    },
    unload(): void {
      element.pause();
      // Removes the recording from the browser's memory.
      element.removeAttribute("src");
      element.load();
      revoke();
    },
  };
}

/** Calls `tick` for each frame while it runs: the element itself reports its position four times a second. */
function createClock(tick: () => void) {
  const isRunning = signal(false);
  let frame = 0;
  const follow = () => {
    tick();
    if (isRunning.value) frame = requestAnimationFrame(follow);
  };
  return {
    isRunning,
    tick,
    run(isOn: boolean): void {
      isRunning.value = isOn;
      cancelAnimationFrame(frame);
      if (isOn) follow();
    },
  };
}

/** Where to go on, at the end of the repeated range and in a skipped silence. */
function findJump(
  seconds: number,
  repeated: Moment | undefined,
  silences: ReadonlySignal<readonly Span[]>,
): number | undefined {
  if (repeated?.to !== undefined && seconds >= repeated.to) return repeated.from;
  const still = isSkipping.value ? findStill(silences.value, seconds) : undefined;
  return still && still.to - MARGIN_SECONDS;
}

/** Follows the listener's settings until the returned function is called. */
function applySettings(
  element: HTMLAudioElement,
  heard: ReadonlySignal<Heard>,
  levels: ReadonlySignal<Levels>,
): () => void {
  let channels: Channels | undefined;
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
  return () => {
    for (const stop of stops) stop();
    channels?.close();
  };
}

const findStill = (silences: readonly Span[], seconds: number): Span | undefined =>
  silences.find(
    ({ from, to }) => seconds > from + MARGIN_SECONDS && seconds < to - 2 * MARGIN_SECONDS,
  );
