// Collects datetimes that --where cannot compare, for a warning at the end.
import { cutText } from "@call-media/handover";
import { console, toPrintable } from "@call-media/terminal";

export interface Unreadable {
  readonly add: (datetime: string) => void;
  /** A sentence about them; undefined if there were none. */
  readonly toWarning: () => string | undefined;
  /** Warns on standard error, once, if there were any. */
  readonly tell: () => void;
}

/** Maximum length of the shown part of a text that is not a datetime. */
const MAX_LENGTH = 40;

/** Stores only the first one, so that memory is constant for a search of any length. */
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
