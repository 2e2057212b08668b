// The sound of one recording: fetched, checked and drawn. Nothing is read before the user plays it.
import { isCallMediaError } from "@call-media/client";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Access } from "../access.ts";
import { isAbort, toFault } from "../faults.ts";
import type { Moment } from "../route.ts";
import { type Content, createContent } from "./content.ts";
import { type Obstacle, toObstacle } from "./obstacle.ts";
import { createPlayback, type Playback } from "./playback.ts";
import { describeRecording, type Head, toRecordingUrl, type Which } from "./recording.ts";
import { hasSoundWorker } from "./sound-worker.ts";
import { createWaveform, type Waveform } from "./waveform.ts";

export interface Sound
  extends
    Pick<Playback, "isPlaying" | "time" | "length" | "loop" | "heard" | "levels" | "seek">,
    Pick<Waveform, "peaks" | "wave" | "silences">,
    Pick<Content, "integrity" | "measured"> {
  readonly which: Which;
  readonly head: ReadonlySignal<Head | undefined>;
  readonly obstacle: ReadonlySignal<Obstacle | undefined>;
  /** `silent` until the user plays it. */
  readonly state: ReadonlySignal<"silent" | "loading" | "decoding" | "ready">;
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

/** The state that the steps of a sound share. */
interface Work {
  readonly access: Access;
  readonly which: Which;
  readonly aborter: AbortController;
  readonly head: Signal<Head | undefined>;
  readonly obstacle: Signal<Obstacle | undefined>;
  readonly state: Signal<Sound["state"]["value"]>;
  readonly content: Content;
  readonly waveform: Waveform;
  readonly playback: Playback;
  described: Promise<void>;
  /** The bytes if read completely, in case <audio> cannot play them. */
  whole: Uint8Array | undefined;
  /** True if the page already decoded the recording because <audio> could not play it. */
  isDecoded: boolean;
  isStream: boolean;
  /** True once <audio> knows the length that the file declares. */
  isReady: boolean;
}

export function createSound(access: Access, which: Which, options: SoundOptions): Sound {
  const work = createWork(access, which, options);
  const { head, obstacle, state, content, waveform, playback } = work;
  const play = async () => {
    options.onPlay();
    await playSound(work);
  };
  return {
    ...playback,
    // Until <audio> knows the length, that of the head counts.
    seek: (seconds) => playback.seek(Math.min(seconds, toEnd(work))),
    which,
    head,
    obstacle,
    state,
    peaks: waveform.peaks,
    wave: waveform.wave,
    silences: waveform.silences,
    integrity: content.integrity,
    measured: content.measured,
    play,
    toggle: () => (playback.isPlaying.value ? playback.pause() : void play()),
    drawLarge: () => drawLong(work),
    retry() {
      obstacle.value = undefined;
      state.value = "silent";
      work.described = describe(work);
      void play();
    },
    dispose() {
      work.aborter.abort();
      waveform.stop();
      playback.dispose();
    },
  };
}

const toEnd = ({ playback, head }: Work): number =>
  playback.length.value > 0 ? playback.length.value : (head.value?.sound?.seconds ?? Infinity);

/** Asks for the head at once, and for nothing else. */
function createWork(access: Access, which: Which, { at, onEnd }: SoundOptions): Work {
  const aborter = new AbortController();
  const waveform = createWaveform(() => void checkLength(work));
  const work: Work = {
    access,
    which,
    aborter,
    head: signal(undefined),
    obstacle: signal(undefined),
    state: signal("silent"),
    waveform,
    content: createContent(access, {
      aborted: aborter.signal,
      onOther: () => {
        work.playback.unload();
        work.obstacle.value = { kind: "other-bytes" };
      },
      onFault: (error) => fail(work, error),
    }),
    playback: createPlayback({
      at,
      silences: waveform.silences,
      onError: (isNetwork) => handleError(work, isNetwork),
      onReady: () => handleReady(work),
      onEnd,
    }),
    described: Promise.resolve(),
    whole: undefined,
    isDecoded: false,
    isStream: false,
    isReady: false,
  };
  work.described = describe(work);
  return work;
}

function fail({ obstacle }: Work, error: unknown): void {
  if (isAbort(error)) return;
  const isAmbiguous = isCallMediaError(error) && error.code === "CLIENT_AMBIGUOUS_RECORDING";
  obstacle.value = isAmbiguous ? { kind: "ambiguous" } : toObstacle(toFault(error));
}

async function describe(work: Work): Promise<void> {
  try {
    const head = await describeRecording(work.access, work.which, work.aborter.signal);
    work.head.value = head;
    if (head.sha256 === undefined) work.content.integrity.value = "unannounced";
  } catch (error) {
    fail(work, error);
  }
}

async function playSound(work: Work): Promise<void> {
  const { head, obstacle, state, playback } = work;
  await work.described;
  if (work.aborter.signal.aborted || head.value === undefined) return;
  if (obstacle.value === undefined && state.value === "silent") await load(work, head.value);
  if (obstacle.value === undefined) await playback.play();
}

async function load(work: Work, known: Head): Promise<void> {
  const { access, obstacle, state } = work;
  const { bytes = Infinity, wanted, contentType } = known;
  // <audio> can send requests itself if a cookie or the service worker signs them.
  work.isStream = bytes > WHOLE_BYTES && (access.kind === "session" || hasSoundWorker);
  state.value = "loading";
  if (work.isStream) return start(work, toRecordingUrl(access, wanted));
  if (bytes > MOST_WHOLE_BYTES && bytes !== Infinity) {
    obstacle.value = { kind: "too-large" };
    return;
  }
  work.whole = await work.content.read(known);
  if (work.whole !== undefined)
    startBlob(work, new Blob([Uint8Array.from(work.whole)], { type: contentType }));
}

function start({ playback, state }: Work, source: string | Blob): void {
  playback.load(source);
  state.value = "ready";
}

function startBlob(work: Work, blob: Blob): void {
  work.isStream = false;
  start(work, blob);
  work.waveform.drawBlob(blob);
}

function handleReady(work: Work): void {
  const { head, isStream, waveform } = work;
  work.isReady = true;
  void checkLength(work);
  if (!isStream) work.whole = undefined;
  else if ((head.value?.bytes ?? Infinity) > DRAWN_BYTES) waveform.wave.value ??= "large";
  else if (waveform.wave.value === undefined) drawLong(work);
}

function drawLong({ access, head, content, waveform, playback }: Work): void {
  const { value: known } = head;
  if (known === undefined) return;
  content.expect(known);
  waveform.drawLong(
    { access, head: known, seconds: playback.length.value },
    {
      onMeasured: (sound) => (content.measured.value = sound),
      onDigest: (digest) => content.judge(known, digest),
    },
  );
}

function handleError(work: Work, isNetwork: boolean): void {
  const { access, which, aborter, obstacle, state } = work;
  if (!isNetwork && !work.isDecoded) {
    work.isDecoded = true;
    void decode(work);
    return;
  }
  state.value = "silent";
  // A HEAD request finds the reason: the user may be signed out, or the recording damaged or missing.
  void describeRecording(access, which, aborter.signal).then(
    () => (obstacle.value = { kind: "fault", fault: { kind: "unreachable" } }),
    (error: unknown) => {
      if (toFault(error).kind !== "refused") fail(work, error);
    },
  );
}

/** Decodes a format that <audio> does not know, if a decoder exists. */
async function decode(work: Work): Promise<void> {
  const { head, obstacle, state, content, playback } = work;
  const { value: known } = head;
  if (known === undefined) return;
  state.value = "decoding";
  if (work.whole === undefined && (known.bytes ?? 0) <= MOST_WHOLE_BYTES)
    work.whole = await content.read(known);
  if (work.whole === undefined || obstacle.value !== undefined) return;
  const { decodeRecording } = await import("@call-media/sound/decode");
  const { contentType, filename } = known;
  const decoded = decodeRecording(work.whole, { contentType, filename });
  if ("codec" in decoded) {
    obstacle.value = { kind: "codec", codec: decoded.codec };
    return;
  }
  startBlob(work, decoded.wav);
  await playback.play();
}

/** Plays the decoded sound if the file declares no length or a wrong one, so that a click in the wave finds its place. */
async function checkLength(work: Work): Promise<void> {
  const { head, waveform, playback } = work;
  const { value: known } = head;
  const decoded = waveform.decoded.peek();
  if (!work.isReady || work.isDecoded || known === undefined || decoded === undefined) return;
  const { seconds } = decoded;
  const difference = Math.abs(seconds - playback.length.value);
  if (difference < Math.max(LEAST_SECONDS, LENGTH_SHARE * seconds)) return;
  work.isDecoded = true;
  const content = decoded.content ?? (await work.content.read(known));
  work.whole = undefined;
  if (content === undefined) return;
  const { decodeByBrowser } = await import("./decode-by-browser.ts");
  const blob = content instanceof Blob ? content : new Blob([Uint8Array.from(content)]);
  const wav = await decodeByBrowser(blob, known.sound?.rate);
  if (wav === undefined || work.aborter.signal.aborted) return;
  const { value: isOn } = playback.isPlaying;
  work.isStream = false;
  start(work, wav);
  if (isOn) await playback.play();
}
