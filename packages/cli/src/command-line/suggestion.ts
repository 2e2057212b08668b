// Suggests names similar to an unknown one.

/** ": did you mean talk_time?", or nothing. */
export function toSuggestion(name: string, names: readonly string[]): string {
  const near = names.filter((one) => isNear(one, name.toLowerCase()));
  return near.length === 0 ? "" : `: did you mean ${near.slice(0, 3).join(" or ")}?`;
}

/** True if one letter was added, left out or replaced, if two were swapped, or if `name` is part of `known`. */
function isNear(known: string, name: string): boolean {
  if (name.length > 3 && known.includes(name)) return true;
  const start = known.split("").findIndex((letter, index) => letter !== name[index]);
  if (start === -1) return name.length - known.length <= 1;
  const [restOfKnown, restOfName] = [known.slice(start), name.slice(start)];
  const swapped = `${restOfName.charAt(1)}${restOfName.charAt(0)}${restOfName.slice(2)}`;
  return (
    restOfKnown === swapped ||
    restOfKnown.slice(1) === restOfName ||
    restOfKnown === restOfName.slice(1) ||
    restOfKnown.slice(1) === restOfName.slice(1)
  );
}
