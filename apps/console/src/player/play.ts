// Runs the page's only player: it starts a recording, continues with the next one of the leg, and disposes of the one before.
import { type CallRecord, isSameLeg } from "@call-media/client";
import { effect } from "@preact/signals";
import type { Access } from "../access.ts";
import { findHits, findPassage, type Line, toLead } from "../call/lines.ts";
import { findLeg, type Leg, withOwnParts } from "../call/load.ts";
import { toFault } from "../faults.ts";
import type { Moment } from "../route.ts";
import { noticeRefusal } from "../session.ts";
import { callWords } from "../text/call-words.ts";
import { say } from "../ui/toast.tsx";
import { findPlace, type Place } from "./place.ts";
import { type Played, played } from "./playing.ts";
import { createSound, type Sound } from "./sound.ts";

/** The listener's position in each recording; held in memory only. */
const places = new Map<string, number>();
let listener: Access | undefined;

const toKey = ({ call_id, ref_id, datetime, agent }: CallRecord, part: number): string =>
  JSON.stringify([call_id, ref_id, datetime, agent, part]);

let before: Played | undefined;
effect(() => {
  const { value: now } = played;
  if (before?.sound !== undefined && before.sound !== now?.sound) leave(before.sound);
  before = now;
});

// A position in the first or last second counts as the beginning.
function leave({ which: { record, part }, time, length, dispose }: Sound): void {
  const at = time.peek();
  if (at > 1 && at < length.peek() - 1) places.set(toKey(record, part), at);
  else places.delete(toKey(record, part));
  dispose();
}

export interface Asked {
  readonly words: string;
  readonly linesOf: (record: CallRecord) => Promise<readonly Line[]>;
  /** The second to start from, if chosen. */
  readonly from?: number;
}

/** Replaces the current sound by a record of a search, from where the words of the search were said. */
export async function playRecord(
  access: Access,
  record: CallRecord,
  { words, linesOf, from }: Asked,
): Promise<void> {
  const { value: now } = played;
  const isOne = now?.sound !== undefined && now.leg.parts.length === 1;
  if (isOne && from !== undefined && isSameLeg(now.record, record)) {
    now.sound.seek(from);
    return now.sound.play();
  }
  const mine = { record };
  played.value = mine;
  const { signal } = new AbortController();
  try {
    const [found, lines] = await Promise.all([
      findLeg(access.client, record, signal),
      linesOf(record),
    ]);
    if (played.peek() !== mine) return;
    const [first] = found?.leg.parts ?? [];
    if (found === undefined || first === undefined) {
      played.value = { record, fault: { kind: "missing" } };
      return;
    }
    const said = lines[findPassage(lines, words)?.message ?? -1];
    const second = from ?? said?.at;
    const place =
      second === undefined ? undefined : await findPlace(access, found.leg, { second, signal });
    if (played.peek() !== mine) return;
    if (place === undefined && (said ?? from) !== undefined) say(callWords().noTimes);
    const start = place && { at: toMoment(from, said, place), hits: toHits(lines, words, place) };
    await openSound({ access, ...found, part: place?.part ?? first, ...start }).play();
  } catch (error) {
    noticeRefusal(error);
    if (played.peek() === mine) played.value = { record, fault: toFault(error) };
  }
}

/** The second that was chosen, or a moment before the line, in the recording that has it. */
function toMoment(chosen: number | undefined, said: Line | undefined, place: Place): Moment {
  const from = chosen === undefined ? toLead((said?.at ?? 0) - place.from) : chosen - place.from;
  return { from, to: undefined };
}

/** Each second of the recording from which one of the words is heard. */
function toHits(lines: readonly Line[], words: string, { from, to }: Place): readonly number[] {
  const seconds = findHits(lines, { find: "", words })
    .flatMap(({ line }) => lines[line]?.at ?? [])
    .filter((second) => second >= from && second < to);
  return [...new Set(seconds.map((second) => toLead(second - from)))];
}

export interface Opened {
  readonly access: Access;
  readonly leg: Leg;
  /** The legs to hear one after the other, in order of time. */
  readonly legs: readonly Leg[];
  /** The recording of the leg, from 1. */
  readonly part: number;
  /** Where to start. Default: where the listener left off. */
  readonly at?: Moment | undefined;
  readonly hits?: readonly number[];
}

/** Returns the current sound if it is this one; else a sound that the player adopts once it plays. */
export function openSound(opened: Opened): Sound {
  const { access, leg, part, at, hits = [] } = opened;
  const { record } = leg;
  const { value: now } = played;
  if (now?.sound?.which.part === part && isSameLeg(now.record, record)) return now.sound;
  if (access !== listener) places.clear();
  listener = access;
  const from = places.get(toKey(record, part));
  const sound: Sound = createSound(
    access,
    { record, part },
    {
      at: at ?? (from === undefined ? undefined : { from, to: undefined }),
      onPlay: () => {
        if (played.peek()?.sound !== sound) played.value = { record, leg, sound, hits };
      },
      onEnd: () => void playNext(opened, sound),
    },
  );
  return sound;
}

/** Continues within the leg and then with the next leg, unless another sound was started meanwhile. */
async function playNext({ access, leg, legs, part }: Opened, ended: Sound): Promise<void> {
  const next = leg.parts[leg.parts.indexOf(part) + 1];
  if (next !== undefined) return openSound({ access, leg, legs, part: next }).play();
  const place = legs.findIndex((one) => isSameLeg(one.record, leg.record));
  const after = legs.slice(place + 1).find(({ parts }) => parts.length > 0);
  if (place < 0 || after === undefined) return;
  const own = await withOwnParts(access.client, after, new AbortController().signal);
  const [first] = own.parts;
  if (played.peek()?.sound === ended && first !== undefined)
    await openSound({ access, leg: own, legs, part: first }).play();
}

/** Disposes of a sound that no page shows any more, unless the player has it. */
export function letGo(sound: Sound): void {
  if (played.peek()?.sound !== sound) sound.dispose();
}
