// Settings that this browser remembers between visits: display preferences, never searches or results.
import { effect, type Signal, signal } from "@preact/signals";

const PREFIX = "call-media:";

/** Returns the value stored under `name`; undefined if there is none, or if the browser allows no storage. */
export function readKept(name: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function writeKept(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A browser that stores nothing forgets it without an error.
  }
}

/** A setting that survives the page. `parse` returns undefined for an invalid value. */
export function kept<Value>(
  name: string,
  initial: Value,
  parse: (value: unknown) => Value | undefined,
): Signal<Value> {
  const setting = signal(parse(readKept(name)) ?? initial);
  let isFirst = true;
  effect(() => {
    const { value } = setting;
    if (!isFirst) writeKept(name, value);
    isFirst = false;
  });
  return setting;
}
