// What --where left out because nobody can compare it, told of in the end.
import { toPrintable } from "../../terminal/paint.ts";

export interface Unreadable {
  readonly add: (datetime: string) => void;
  /** Undefined where there was none. */
  readonly toWarning: () => string | undefined;
}

/** One of them is remembered, so that a search of any length needs no more memory. */
export function createUnreadable(): Unreadable {
  let first: string | undefined;
  return {
    add: (datetime) => {
      first ??= datetime;
    },
    toWarning: () =>
      first === undefined
        ? undefined
        : `Warning: --where cannot compare datetimes such as ${toPrintable(JSON.stringify(first))}: for their records only != is true.`,
  };
}
