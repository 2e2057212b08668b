// Adds, moves and removes the places that hand-overs mute.
import type { CallSpan } from "@call-media/handover";
import { type MutedPlace, mutedPlaces } from "./muted-places.ts";

export const toSpans = (places: readonly MutedPlace[]): readonly CallSpan[] =>
  places.map(({ span }) => span);

const isSame = (one: CallSpan, { call_id, part, from, to }: CallSpan): boolean =>
  one.call_id === call_id && one.part === part && one.from === from && one.to === to;

/** True for a place in a recording of that many seconds; Infinity where they are not known. */
export const isWithin = ({ from, to }: Pick<CallSpan, "from" | "to">, seconds: number): boolean =>
  from >= 0 && from < to && to <= seconds;

/** True for a span that a place mutes. */
export const isMuted = ({ call_id, part, from, to }: CallSpan): boolean =>
  mutedPlaces.value.some(
    ({ span, isToEnd }) =>
      span.call_id === call_id &&
      span.part === part &&
      span.from <= from &&
      (to <= span.to || isToEnd === true),
  );

/** Adds a span once, shown to the end of the recording if it ends behind it; false if it is none of the recording. */
export function addSpan(given: CallSpan, seconds: number): boolean {
  const end = Math.round(seconds * 1000) / 1000;
  const span = { ...given, to: Math.min(given.to, end) };
  if (!isWithin(span, seconds + 0.001)) return false;
  const place = { span, isHeard: false, ...(given.to > end && { isToEnd: true as const }) };
  if (!mutedPlaces.value.some((one) => isSame(one.span, span)))
    mutedPlaces.value = [...mutedPlaces.value, place];
  return true;
}

/** Puts `other` in the place of a span; without it the span goes. */
export function replacePlace(span: CallSpan, other?: MutedPlace): void {
  mutedPlaces.value = mutedPlaces.value.flatMap((place) => {
    if (place.span !== span) return [place];
    return other === undefined ? [] : [other];
  });
}

/** Tenths of a second, rounded outwards: none of it is left. */
export const toTenths = ({ from, to }: Pick<CallSpan, "from" | "to">) => ({
  from: Math.max(0, Math.floor(from * 10) / 10),
  to: Math.ceil(to * 10) / 10,
});
