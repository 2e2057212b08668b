// YAML with the lines of its values: they come from the parser's events and are computed only on request.
import {
  constructFromEvents,
  type Event,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";
import { createLines } from "./json-lines.ts";

export interface Yaml {
  readonly value: unknown;
  /** The line, from 1, of the value at these keys. If it does not exist, the line of the enclosing value. */
  readonly lineOf: (keys: readonly (string | number)[]) => number;
}

/** Where and why a text is not readable YAML. The message never shows the text, which may be a secret. */
export class YamlFault extends Error {
  override readonly name = "YamlFault";
  /** From 1; undefined if the fault concerns the complete text. */
  readonly at: { readonly line: number; readonly column: number } | undefined;

  constructor(message: string, at: YamlFault["at"]) {
    super(message);
    this.at = at;
  }
}

// Nobody nests deeper by hand. The parser's default is 100.
const MAX_DEPTH = 1_000;

/** @throws YamlFault */
export function parseYaml(source: string): Yaml {
  try {
    const events = parseEvents(source, { maxDepth: MAX_DEPTH });
    const [value = null, ...others] = constructFromEvents(events, { source });
    if (others.length > 0) throw new YamlFault("has several documents", undefined);
    checkSize(value);
    return { value, lineOf: createYamlLines(source, events) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const at = mark && { line: mark.line + 1, column: mark.column + 1 };
    if (/alias/i.test(reason)) throw new YamlFault(ALIAS, undefined);
    throw new YamlFault(
      /duplicate/i.test(reason) ? "has a key for the second time" : "is neither JSON nor YAML",
      at,
    );
  }
}

const ALIAS = "has an alias, *name, that stands for nothing or for too much";
/** More values than any document has. Nested aliases can produce more. */
const MOST_VALUES = 10_000_000;

/** Counts the target of an alias each time it is used. @throws YamlFault */
function checkSize(root: unknown): void {
  const counts = new Map<object, number>();
  const count = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 1;
    const known = counts.get(value);
    if (known !== undefined) return known;
    counts.set(value, Infinity); // until it is counted: an alias may refer to an enclosing value
    const sum = Object.values(value).reduce<number>((all, inner) => all + count(inner), 1);
    counts.set(value, sum);
    return sum;
  };
  if (count(root) > MOST_VALUES) throw new YamlFault(ALIAS, undefined);
}

function createYamlLines(source: string, events: readonly Event[]): Yaml["lineOf"] {
  const lineAt = createLines(source);
  const known = new Map<number, ReadonlyMap<string, Child>>();
  return (keys) => {
    // The first event opens the document.
    let at = 1;
    let start = startOf(events[at]) ?? 0;
    for (const key of keys) {
      const children = known.get(at) ?? findChildren(source, events, at);
      known.set(at, children);
      const child = children.get(String(key));
      if (child === undefined) break;
      at = child.event;
      start = startOf(events[at]) ?? child.start;
    }
    return lineAt(start);
  };
}

interface Child {
  readonly event: number;
  /** The start of the key, for a missing value. */
  readonly start: number;
}

/** Events of the values in a mapping or sequence, by key or number. Empty for any other value. */
function findChildren(
  source: string,
  events: readonly Event[],
  at: number,
): ReadonlyMap<string, Child> {
  const children = new Map<string, Child>();
  const type = events[at]?.type;
  if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) return children;
  for (let next = at + 1; events[next]?.type !== EVENT_ID.POP; next = endOf(events, next)) {
    if (next >= events.length) break;
    const key = events[next];
    const start = startOf(key) ?? (key?.type === EVENT_ID.SCALAR ? key.valueStart : 0);
    if (type === EVENT_ID.SEQUENCE) children.set(String(children.size), { event: next, start });
    else {
      next = endOf(events, next);
      if (key?.type === EVENT_ID.SCALAR)
        children.set(getScalarValue(source, key), { event: next, start });
    }
  }
  return children;
}

/** The index after the events of a value and its content. */
function endOf(events: readonly Event[], at: number): number {
  let depth = 0;
  for (let next = at; next < events.length; next += 1) {
    const type = events[next]?.type;
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth += 1;
    if (type === EVENT_ID.POP) depth -= 1;
    if (depth === 0) return next + 1;
  }
  return events.length;
}

const BLOCKS: ReadonlySet<number> = new Set([
  SCALAR_STYLE.LITERAL_BLOCK,
  SCALAR_STYLE.FOLDED_BLOCK,
]);

/** Undefined for an empty value, as after `key:`, and for a block, whose first line is that of its key. */
function startOf(event: Event | undefined): number | undefined {
  if (event === undefined) return undefined;
  const start =
    event.type === EVENT_ID.SCALAR
      ? BLOCKS.has(event.style)
        ? -1
        : event.valueStart
      : event.type === EVENT_ID.ALIAS
        ? event.anchorStart
        : event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE
          ? event.start
          : -1;
  return start < 0 ? undefined : start;
}
