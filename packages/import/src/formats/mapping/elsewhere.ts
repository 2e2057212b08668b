// Looks in which columns or members the texts stand that a mapping compares with: a text that its own column never has, and
// another has, is asked of the wrong one.
import { toLetters } from "../columns.ts";
import { isObject } from "../../json.ts";
import { toSteps } from "./names.ts";

// Enough for a mistake to show.
const ROWS = 2_000;

export interface Elsewhere {
  readonly seeRecord: (record: unknown) => void;
  readonly seeRow: (columns: readonly string[], values: readonly string[]) => void;
  /** True if none of these columns or members has one of the texts, and another has one that tells which column it is of. */
  readonly has: (texts: readonly string[], names: readonly string[]) => boolean;
}

const COMMON = /^(?:true|false|null|none|\d+)$/i;

/** False of one "yes" or "1", which stand in many columns. */
const areTelling = (texts: readonly string[]) =>
  texts.length > 1 || texts.some((text) => text.length > 3 && !COMMON.test(text));

export function createElsewhere(texts: Iterable<string>): Elsewhere {
  const places = new Map([...texts].map((text) => [text, new Set<string>()]));
  let rows = 0;
  const see = (name: string, value: unknown): void => {
    if (typeof value === "string") places.get(value.trim())?.add(toLetters(name));
    else if (Array.isArray(value)) value.forEach((one) => see(name, one));
    else if (isObject(value))
      for (const [member, inner] of Object.entries(value)) see(member, inner);
  };
  const isOver = () => places.size === 0 || ++rows > ROWS;
  return {
    seeRecord: (record) => {
      if (!isOver()) see("", record);
    },
    seeRow: (columns, values) => {
      if (!isOver()) values.forEach((value, index) => see(columns[index] ?? "", value));
    },
    has: (wanted, names) => {
      const own = names.map((name) => toLetters(toSteps(name).at(-1) ?? name));
      const found = wanted.map((text) => places.get(text) ?? new Set());
      if (found.some((set) => own.some((name) => set.has(name)))) return false;
      return areTelling(wanted.filter((_, index) => (found[index]?.size ?? 0) > 0));
    },
  };
}
