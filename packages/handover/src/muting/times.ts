// When the lines of a transcript were spoken, in seconds.
import type { Message } from "../fetching/chat.ts";

/** Messages have whole seconds, so a line may begin and end up to a second off. */
const MARGIN_SECONDS = 1;

const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** In seconds since 1970; NaN if the datetimes cannot be compared because only one of them has an offset. */
export function toMoment(datetime: string | null, like: string | null): number {
  const [text, other] = [datetime ?? "", like ?? ""];
  if (OFFSET.test(text) !== OFFSET.test(other)) return Number.NaN;
  return Date.parse(OFFSET.test(text) ? text : `${text}Z`) / 1000;
}

/**
 * For each message, the longest time span in which it may have been spoken. It may last until its speaker's next message, even while
 * others speak. A speaker's last message has no end.
 */
export function toTimes(messages: readonly Message[], like: string | null) {
  const lines = messages.map((message) => ({
    speaker: toSpeaker(message),
    moment: toMoment(message.datetime, like),
  }));
  const sorted = lines.toSorted((one, other) => one.moment - other.moment);
  return lines.map(({ speaker, moment }) => {
    const next = sorted.find((line) => line.speaker === speaker && line.moment > moment);
    return {
      from: moment - MARGIN_SECONDS,
      to: (next?.moment ?? Number.POSITIVE_INFINITY) + MARGIN_SECONDS,
    };
  });
}

/** The assumed maximum length of a line until a user has listened to the recording. */
const LINE_SECONDS = 30;

/** Like `toTimes`, but for proposed spans: no line lasts more than half a minute. */
export function toLineTimes(messages: readonly Message[], like: string | null) {
  return toTimes(messages, like).map(({ from, to }) => ({
    from,
    to: Math.min(to, from + LINE_SECONDS + 2 * MARGIN_SECONDS),
  }));
}

/**
 * The span of a line that begins at this second of a recording: until its speaker's next line, even while others speak. Undefined
 * if the message has no time.
 */
export function toLineSpan(
  messages: readonly Message[],
  line: number,
  at: number,
): Span | undefined {
  const like = messages[line]?.datetime ?? null;
  const { from, to } = toLineTimes(messages, like)[line] ?? { from: Number.NaN, to: Number.NaN };
  const began = at - toMoment(like, like);
  return Number.isNaN(from) ? undefined : { from: Math.max(0, began + from), to: began + to };
}

interface Span {
  /** In seconds from the start of the recording. */
  readonly from: number;
  readonly to: number;
}

const toSpeaker = ({ label, party_type }: Message): string => JSON.stringify([label, party_type]);
