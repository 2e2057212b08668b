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

/**
 * For each message, between which seconds it was said at most. It may last until its speaker says the next one, whatever others say
 * meanwhile; the last one of a speaker ends nowhere.
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

/** The longest that a line is taken to last before it is listened to. */
const LINE_SECONDS = 30;

/** As `toTimes`, for spans that are proposed: no line lasts more than half a minute. */
export function toLineTimes(messages: readonly Message[], like: string | null) {
  return toTimes(messages, like).map(({ from, to }) => ({
    from,
    to: Math.min(to, from + LINE_SECONDS + 2 * MARGIN_SECONDS),
  }));
}

/**
 * The span of a line that begins at this second of a recording: until its speaker's next line, whatever others say meanwhile. Undefined
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
  /** In seconds from the beginning of the recording. */
  readonly from: number;
  readonly to: number;
}

const toSpeaker = ({ label, party_type }: Message): string => JSON.stringify([label, party_type]);
