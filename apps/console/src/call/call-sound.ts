// The sound of a call's page: its recording, its start, and the address of the page that names both.
import { effect, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Access } from "../access.ts";
import { replace } from "../address.ts";
import { findPlace, type Place } from "../player/place.ts";
import { letGo, openSound } from "../player/play.ts";
import { type Played, played, playOnOpen, shownSound } from "../player/playing.ts";
import type { Sound } from "../player/sound.ts";
import { type CallRoute, type Moment, parseRoute } from "../route.ts";
import { toLength } from "./length.ts";
import { findPassage, type Line, toLead, toSecond } from "./lines.ts";
import type { Leg } from "./load.ts";
import { isSameRoute } from "./timeline.ts";

/** How long the recordings are of which it is known, by their numbers. */
export function useLengths(sound: Sound | undefined): Map<number, number> {
  const { current: lengths } = useRef(new Map<number, number>());
  const length = sound && toLength(sound);
  if (sound !== undefined && length !== undefined) lengths.set(sound.which.part, length);
  return lengths;
}

/** The page of another leg of the contact, with what is looked for in this one. */
export const toLegRoute = ({ find, words }: CallRoute, { route }: Leg, at?: Moment): CallRoute => ({
  ...route,
  find,
  words,
  at,
});

interface HitOf {
  readonly access: Access;
  readonly leg: Leg;
  readonly route: CallRoute;
  readonly sound: Sound | undefined;
  readonly lines: readonly Line[];
  readonly lengths: Map<number, number>;
}

/** Moves a call that was found by words to these words, unless the user was already in the call. */
export function useHit({ access, leg, route, sound, lines, lengths }: HitOf): void {
  useEffect(() => {
    const goesOn = playOnOpen.peek();
    playOnOpen.value = false;
    if (sound === undefined) return undefined;
    const aborter = new AbortController();
    const line = lines[findPassage(lines, route.words)?.message ?? -1];
    const second = line && toSecond(leg, line);
    const isFresh = route.at === undefined && sound.time.peek() === 0;
    const start = () => {
      if (goesOn && !aborter.signal.aborted) void sound.play();
    };
    const go = (place: Place | undefined) => {
      if (aborter.signal.aborted) return;
      if (place === undefined || second === undefined) return start();
      place.lengths.forEach((seconds, part) => lengths.set(part, seconds));
      const from = toLead(second - place.from);
      if (place.part === sound.which.part) {
        sound.seek(from);
        start();
      } else {
        playOnOpen.value = goesOn;
        replace({ ...route, part: place.part, at: { from: Math.floor(from), to: undefined } });
      }
    };
    const isAsked = second !== undefined && isFresh && route.part === undefined;
    if (isAsked) findPlace(access, leg, { second, signal: aborter.signal }).then(go, start);
    else {
      // The address names the recording.
      if (isFresh && line?.at !== undefined) sound.seek(toLead(line.at));
      start();
    }
    return () => aborter.abort();
  }, [sound]);
}

interface SoundOf {
  readonly access: Access;
  readonly leg: Leg;
  readonly legs: readonly Leg[];
  readonly part: number | undefined;
  readonly route: CallRoute;
}

/** A pause is kept in the address: a page that is loaded again goes on there. */
export function useKeptPlace(sound: Sound | undefined, { parts, route }: Leg): void {
  useEffect(() => {
    let wasPlaying = false;
    return effect(() => {
      const isOn = sound?.isPlaying.value === true;
      if (wasPlaying && !isOn && sound !== undefined) keep(sound);
      wasPlaying = isOn;
    });
  }, [sound]);

  const keep = ({ which, time, length, loop }: Sound) => {
    // The browser may be on its way to another page.
    const now = parseRoute(location.hash);
    if (now.page !== "call" || toPlace(now) !== toPlace(route)) return;
    // A span that is played again and again stays in the address.
    if ((now.part ?? parts[0]) !== which.part || loop.peek() !== undefined) return;
    const from = Math.floor(time.peek());
    const isInside = from > 0 && from < length.peek() - 1;
    replace({ ...now, at: isInside ? { from, to: undefined } : undefined });
  };
}

const toPlace = ({ by, id, leg }: CallRoute): string => JSON.stringify([by, id, leg]);

/** A recording that plays continues. For another one, only the headers are requested until it is played. */
export function useSound({ access, leg, legs, part, route }: SoundOf): Sound | undefined {
  const sound = useMemo(
    () => (part === undefined ? undefined : openSound({ access, leg, legs, part, at: route.at })),
    [access, leg.record, part],
  );
  useEffect(() => {
    shownSound.value = sound;
    return () => {
      // The page of another leg may show its own by now.
      if (shownSound.peek() === sound) shownSound.value = undefined;
      if (sound !== undefined) letGo(sound);
    };
  }, [sound]);
  const before = useRef<Played | undefined>(played.peek());
  useSignalEffect(() => {
    const { value: now } = played;
    const { current: last } = before;
    before.current = now;
    if (now === last) return;
    // The page goes along with the recording that it shows.
    if (now?.sound === undefined || last?.sound === undefined || last.sound !== sound) return;
    if (now.leg === leg) replace({ ...route, part: now.sound.which.part, at: undefined });
    else if (legs.some((one) => isSameRoute(one, now.leg))) replace(toLegRoute(route, now.leg));
  });
  // A link to another second of the call that is open.
  const opened = useRef(route.at);
  useEffect(() => {
    const isThere = Math.floor(sound?.time.peek() ?? 0) === route.at?.from;
    if (route.at !== undefined && route.at !== opened.current && !isThere)
      sound?.seek(route.at.from);
    opened.current = route.at;
  }, [route.at?.from]);
  return sound;
}
