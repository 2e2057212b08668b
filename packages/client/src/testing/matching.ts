// When a value is what a filter or a right asks for (D08), and the other ways in which services compare.
import type { Behaviour } from "./behaviour.ts";

/** Whether a record's `value` of `field` is what is asked for. */
export type Matcher = (field: string, value: unknown, wanted: string | number) => boolean;

export function createMatcher(behaviour: Behaviour): Matcher {
  const { matchesBeginning, matchesEnd } = behaviour;
  const toKey = createToKey(behaviour);
  return (field, value, wanted) => {
    if (value === null || value === undefined) return false;
    const [found, key] = [toKey(field, value as string | number), toKey(field, wanted)];
    if (found === key) return true;
    if (typeof wanted === "number") return false;
    if (matchesBeginning && matchesEnd) return found.includes(key);
    return (matchesBeginning && found.startsWith(key)) || (matchesEnd && found.endsWith(key));
  };
}

function createToKey({ ignoresCase, ignoresOuterSpaces, ignoresPhoneNotation }: Behaviour) {
  return (field: string, value: string | number): string => {
    const text = ignoresOuterSpaces ? String(value).trim() : String(value);
    const digits = text.replace(/\D/g, "");
    // "withheld" has no digits: it is compared as text.
    if (ignoresPhoneNotation && /^phone_number\d$/.test(field) && digits !== "") return digits;
    return ignoresCase ? fold(text) : text;
  };
}

/** Unicode simple case folding: one character to one, so that ß and ss stay apart. */
function fold(text: string): string {
  return Array.from(text, (character) => {
    // Outside Turkic the dotless i folds to itself (CaseFolding.txt).
    const upper = character === "\u0131" ? character : character.toUpperCase();
    const lower = (isOne(upper) ? upper : character).toLowerCase();
    return isOne(lower) ? lower : character;
  }).join("");
}

const isOne = (text: string) => Array.from(text).length === 1;
