// Datetimes that --where cannot compare, told of in the end.
import { toPrintable } from "../../terminal/paint.ts";

export interface Unreadable {
  readonly add: (datetime: string) => void;
  /** Warns on standard error, once, if there was one. */
  readonly tell: () => void;
}

/** One of them is remembered, so that a search of any length needs no more memory. */
export function createUnreadable(): Unreadable {
  let first: string | undefined;
  let isTold = false;
  return {
    add: (datetime) => {
      first ??= datetime;
    },
    tell: () => {
      if (first === undefined || isTold) return;
      isTold = true;
      const example = toPrintable(JSON.stringify(first));
      console.error(
        `Warning: --where cannot compare datetimes such as ${example}: for their records only != is true.`,
      );
    },
  };
}
