// The ways in which other services compare a value with a filter.
import { foldCase } from "@call-media/store/values";
import type { Behaviour } from "./behaviour.ts";

/** Returns whether a record's `value` of `field` matches `wanted`. */
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
    // A value without digits, such as "withheld", is compared as text.
    if (ignoresPhoneNotation && /^phone_number\d$/.test(field) && digits !== "") return digits;
    return ignoresCase ? foldCase(text) : text;
  };
}
