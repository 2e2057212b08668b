// Describes the direction of a change in words.
import type { Direction } from "../parts.ts";
import type { Shift } from "./shift.ts";

/** For a part that becomes required or optional. */
export function tellNeed(direction: Direction, isNeeded: boolean): string {
  if (direction === "request") return isNeeded ? "it must be sent now" : "it need not be sent now";
  return isNeeded ? "it is always there now" : "it may be missing now";
}

/** For a keyword that allows other values. */
export function tellShift(keyword: string, shift: Shift, direction: Direction): string {
  const how = { narrower: "fewer", wider: "more", other: "other", same: "the same" } as const;
  if (keyword !== "required") return `${keyword} allows ${how[shift]} values`;
  // More required fields allow fewer values.
  const fields = { ...how, narrower: "more", wider: "fewer" }[shift];
  return `${fields} fields ${direction === "request" ? "must be sent" : "are always there"}`;
}

// The document shows longer values at their place.
const SHOWN_CHARACTERS = 60;

/** Both values in brackets, or for long lists the members that only one has. Empty if that is too long, or if both are missing. */
export function tellValues(before: unknown, after: unknown): string {
  const [old, now] = [before, after].map(toText);
  const text = `(${old} -> ${now})`;
  if (old === now) return "";
  if (text.length <= SHOWN_CHARACTERS) return text;
  if (!Array.isArray(before) || !Array.isArray(after)) return "";
  const [olds, nows] = [before, after].map((list) => list.map(toText));
  return tellLists({ gone: minus(olds, nows), gained: minus(nows, olds) });
}

const toText = (value: unknown): string =>
  value === undefined ? "nothing" : JSON.stringify(value);

const minus = (texts: readonly string[] = [], others: readonly string[] = []): readonly string[] =>
  texts.filter((text) => !others.includes(text));

// Only the first ones of a longer list are named.
const NAMED = 3;

/** The members that only one of two lists has. */
export function tellLists({
  gone,
  gained,
}: Readonly<Record<"gone" | "gained", readonly string[]>>) {
  const toWords = (texts: readonly string[], what: string) =>
    texts.length === 0 ? [] : [`${joinNamed(texts)} ${texts.length === 1 ? "is" : "are"} ${what}`];
  const words = [...toWords(gained, "new"), ...toWords(gone, "gone")];
  return words.length === 0 ? "" : `(${words.join("; ")})`;
}

/** The names of further operations. */
export const tellOthers = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [joinNamed(names, "operations")];

function joinNamed(texts: readonly string[], noun = ""): string {
  const shown = texts.length === NAMED + 1 ? texts : texts.slice(0, NAMED);
  const more = texts.length - shown.length;
  if (more > 0) return `${shown.map(cut).join(", ")} and ${more} other ${noun}`.trim();
  const last = shown.slice(-1).map(cut);
  return [...(shown.length > 1 ? [shown.slice(0, -1).map(cut).join(", ")] : []), ...last].join(
    " and ",
  );
}

const cut = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
