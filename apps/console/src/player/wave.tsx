// The wave: the level of each channel over the recording; click or drag to move to a second.
import type { CallSpan } from "@call-media/handover";
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { TargetedPointerEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { findLineAt, type Hit, type Line } from "../call/lines.ts";
import type { Moment } from "../route.ts";
import { callWords } from "../text/call-words.ts";
import { showBytes } from "../text/text.ts";
import { showSeconds } from "../time.ts";
import { PEAKS_A_SECOND, toLoudest } from "./peaks.ts";
import type { Lane } from "./lanes.ts";
import type { Sound } from "./sound.ts";

interface WaveProps {
  readonly sound: Sound;
  readonly lines: readonly Line[];
  readonly lanes: readonly Lane[];
  readonly hits: readonly Hit[];
  /** Spans that hand-overs mute. */
  readonly muted: readonly CallSpan[];
}

export function Wave({ sound, lines, lanes, hits, muted }: WaveProps) {
  const cursor = useRef<HTMLSpanElement>(null);
  const canvas = useDrawing(sound, lanes, cursor);
  const { hover, listeners } = usePointer(sound);
  const { value: now } = useComputed(() => Math.floor(sound.time.value));
  const { value: length } = sound.length;
  return (
    <div
      class="wave"
      role="slider"
      tabIndex={0}
      aria-label={callWords().position}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={now}
      aria-valuetext={toWords(now, length, lines)}
      {...listeners}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {length > 0 && (
        <>
          <Found lines={lines} hits={hits} length={length} />
          <Ranges kind="still" ranges={sound.silences.value} length={length} />
          <Ranges kind="hushed" ranges={muted} length={length} />
          <Ranges kind="loop" ranges={sound.loop.value ? [sound.loop.value] : []} length={length} />
        </>
      )}
      <span ref={cursor} class="cursor" />
      <Said sound={sound} />
      {hover !== undefined && length > 0 && (
        <span
          class="tip"
          style={{ left: toPercent(hover, length) }}
          data-side={hover > length / 2 ? "end" : "start"}
        >
          {showSeconds(hover)}{" "}
          <span class="cut">{lines[findLineAt(lines, hover)]?.said ?? ""}</span>
        </span>
      )}
    </div>
  );
}

/** Draws the wave whenever it changes, and moves the cursor once a frame without rendering the component again. */
function useDrawing(
  sound: Sound,
  lanes: readonly Lane[],
  cursor: { readonly current: HTMLElement | null },
) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useSignal(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => (width.value = entry?.contentRect.width ?? 0));
    if (canvas.current !== null) observer.observe(canvas.current);
    return () => observer.disconnect();
  }, []);
  useSignalEffect(() => {
    if (canvas.current !== null && width.value > 0) draw(canvas.current, sound, lanes);
  });
  useSignalEffect(() => {
    const { value: length } = sound.length;
    const heard = toPercent(length > 0 ? Math.min(length, sound.time.value) : 0, length || 1);
    if (cursor.current !== null) cursor.current.style.left = heard;
    canvas.current?.style.setProperty("--heard", heard);
  });
  return canvas;
}

type Pointer = TargetedPointerEvent<HTMLElement>;

/** A click or a drag moves to a second; before the length is known, a click plays. */
function usePointer(sound: Sound) {
  const hover = useSignal<number | undefined>(undefined);
  const isDragging = useSignal(false);
  const { value: length } = sound.length;
  const toSeconds = ({ currentTarget, clientX }: Pointer) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (clientX - left) / width)) * length;
  };
  const listeners = {
    onPointerDown: (event: Pointer) => {
      if (length === 0) {
        void sound.play();
        return;
      }
      event.currentTarget.setPointerCapture(event.pointerId);
      isDragging.value = true;
      sound.seek(toSeconds(event));
    },
    onPointerMove: (event: Pointer) => {
      if (length === 0) return;
      hover.value = toSeconds(event);
      if (isDragging.value) sound.seek(hover.value);
    },
    onPointerUp: () => (isDragging.value = false),
    onPointerLeave: () => (hover.value = undefined),
  };
  return { hover: hover.value, listeners };
}

const toPercent = (seconds: number, length: number): string => `${(seconds / length) * 100}%`;

function Found({ lines, hits, length }: Pick<WaveProps, "lines" | "hits"> & Lasting) {
  return (
    <>
      {hits.map(({ line, start }) => {
        const at = lines[line]?.at;
        if (at === undefined) return null;
        return <i key={`${line} ${start}`} class="found" style={{ left: toPercent(at, length) }} />;
      })}
    </>
  );
}

interface Lasting {
  readonly length: number;
}

interface RangesProps extends Lasting {
  readonly kind: "still" | "hushed" | "loop";
  readonly ranges: readonly Moment[];
}

function Ranges({ kind, ranges, length }: RangesProps) {
  return (
    <>
      {ranges.map(({ from, to = from }) => (
        <i
          key={from}
          class={kind}
          style={{ left: toPercent(from, length), width: toPercent(to - from, length) }}
        />
      ))}
    </>
  );
}

/** The text shown until the wave is drawn, or instead of it. */
function Said({ sound }: { readonly sound: Sound }) {
  const c = callWords();
  const { value: wave } = sound.wave;
  const { value: state } = sound.state;
  if (state === "silent") return <Over>{c.listeningIsRecorded}</Over>;
  if (state === "loading") return <Over>{c.loadingSound}</Over>;
  if (state === "decoding") return <Over>{c.decoding}</Over>;
  if (wave === "none") return <Over>{c.noWave}</Over>;
  if (typeof wave === "number" && wave < 1)
    return <p class="is-aside">{c.drawing(Math.round(wave * 100))}</p>;
  if (wave !== "large") return null;
  return (
    <p>
      <button
        type="button"
        class="plain-link"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={sound.drawLarge}
      >
        {c.drawLarge(showBytes(sound.head.value?.bytes ?? 0))}
      </button>
    </p>
  );
}

function Over({ children }: { readonly children: string }) {
  return (
    <p role="status">
      <span>{children}</span>
    </p>
  );
}

function toWords(now: number, length: number, lines: readonly Line[]): string {
  const c = callWords();
  const line = lines[findLineAt(lines, now)];
  const words = c.positionOf(showSeconds(now), showSeconds(length));
  return line === undefined ? words : `${words}, ${line.who}`;
}

const BAR = 2;
const PITCH = 4;

/** Draws bars of two pixels. A mask in the style of the canvas makes the part still to come paler. */
function draw(canvas: HTMLCanvasElement, sound: Sound, lanes: readonly Lane[]): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const scale = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = width * scale;
  canvas.height = height * scale;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const { value: peaks } = sound.peaks;
  const seconds = sound.length.value || peaks?.seconds || 1;
  const loudest = peaks === undefined ? 1 : toLoudest(peaks);
  const count = Math.max(1, peaks?.channels.length ?? lanes.length);
  for (let channel = 0; channel < count; channel++) {
    const middle = (height * (channel + 0.5)) / count;
    const tallest = height / count - 4;
    context.fillStyle = style.getPropertyValue(`--${lanes[channel]?.lane ?? "lane-1"}`);
    for (let x = 0; x < width; x += PITCH) {
      const from = Math.floor((x / width) * seconds * PEAKS_A_SECOND);
      const to = Math.max(from + 1, Math.floor(((x + PITCH) / width) * seconds * PEAKS_A_SECOND));
      const peak = Math.max(0, ...(peaks?.channels[channel]?.subarray(from, to) ?? []));
      const tall = Math.max(1, Math.min(1, peak / loudest) * tallest);
      context.fillRect(x, middle - tall / 2, BAR, tall);
    }
  }
}
