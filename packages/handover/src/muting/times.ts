// When the lines of a transcript were said, in seconds.
import type { Message } from "../fetching/chat.ts";

/** Messages have whole seconds: a line may begin and end up to a second off. */
const MARGIN_SECONDS = 1;

const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** In seconds since 1970; NaN if the datetime cannot be compared with the other, since one of them alone has an offset. */
export function toMoment(datetime: string | null, like: string | null): number {
  const [text, other] = [datetime ?? "", like ?? ""];
  if (OFFSET.test(text) !== OFFSET.test(other)) return Number.NaN;
  return Date.parse(OFFSET.test(text) ? text : `${text}Z`) / 1000;
}

/** How long the last line is taken to last. */
const LAST_LINE_SECONDS = 30;

/** For each message, between which seconds it was said at most. */
export function toTimes(messages: readonly Message[], like: string | null) {
  const moments = messages.map(({ datetime }) => toMoment(datetime, like));
  const sorted = moments.toSorted((one, other) => one - other);
  return moments.map((from) => {
    const next = sorted.find((moment) => moment > from) ?? from + LAST_LINE_SECONDS;
    return { from: from - MARGIN_SECONDS, to: next + MARGIN_SECONDS };
  });
}
