// Datetimes that --where cannot compare, told of in the end.
import { cutText } from "@call-media/handover";
import { console, toPrintable } from "@call-media/terminal";

export interface Unreadable {
  readonly add: (datetime: string) => void;
  /** A sentence about them; undefined where there was none. */
  readonly toWarning: () => string | undefined;
  /** Warns on standard error, once, if there was one. */
  readonly tell: () => void;
}

/** Of a text that is no datetime, as much as tells which it is. */
const MAX_LENGTH = 40;

/** One of them is remembered, so that a search of any length needs no more memory. */
export function createUnreadable(): Unreadable {
  let first: string | undefined;
  let isTold = false;
  const toWarning = () => {
    if (first === undefined) return undefined;
    const example = toPrintable(JSON.stringify(first));
    return `--where cannot compare datetimes such as ${example}: for their records only != is true.`;
  };
  return {
    add: (datetime) => {
      first ??= cutText(datetime, MAX_LENGTH, (text) => text.length);
    },
    toWarning,
    tell: () => {
      const warning = toWarning();
      if (warning === undefined || isTold) return;
      isTold = true;
      console.warn(`Warning: ${warning}`);
    },
  };
}
