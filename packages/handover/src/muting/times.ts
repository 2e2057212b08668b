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

const toSpeaker = ({ label, party_type }: Message): string => JSON.stringify([label, party_type]);
