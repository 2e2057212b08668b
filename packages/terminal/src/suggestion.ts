// Suggests names similar to an unknown one.
import leven from "leven";

const MOST = 3;
/** In letters. A shorter name differs from most others by two letters, and is part of many. */
const SHORT = 4;

/** ": did you mean talk_time?", or empty. Prefers names that differ least, by one or two letters; else names that contain it. */
export function toSuggestion(name: string, names: readonly string[]): string {
  const typed = name.toLowerCase();
  const isShort = typed.length < SHORT;
  const distances = names.map((known) => leven(known.toLowerCase(), typed));
  const least = Math.min(...distances);
  const near =
    least <= (isShort ? 1 : 2)
      ? names.filter((_, at) => distances[at] === least)
      : names.filter((known) => !isShort && known.includes(typed));
  return near.length === 0 ? "" : `: did you mean ${near.slice(0, MOST).join(" or ")}?`;
}
