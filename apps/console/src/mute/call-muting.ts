// The muting of a call in hand-overs: the muted places, their lines, and the places that may need muting.
import {
  type CallSpan,
  muteMessages,
  type Proposed,
  proposeSpans,
  toLineSpan,
} from "@call-media/handover";
import { toLength } from "../call/length.ts";
import type { Line } from "../call/lines.ts";
import type { Call } from "../call/load.ts";
import type { Sound } from "../player/sound.ts";
import { muteWords } from "../text/mute-words.ts";
import { say } from "../ui/toast.tsx";
import { type MutedPlace, mutedPlaces } from "./muted-places.ts";
import { addSpan, isMuted, toSpans, toTenths } from "./places.ts";

type Range = Pick<CallSpan, "from" | "to">;

export interface CallMuting {
  readonly words: ReturnType<typeof muteWords>;
  /** The places in the recording that is shown. */
  readonly places: readonly MutedPlace[];
  readonly proposed: Proposed;
  /** True for a line whose words go with a place of the call. */
  readonly isHidden: (line: number) => boolean;
  readonly muteSpan: (span: Range, reason?: string) => void;
  readonly muteLoop: () => void;
  /** Undefined where the seconds of lines in the recording are not known. */
  readonly muteLine: ((line: number) => void) | undefined;
}

interface MutingOf {
  readonly call: Call;
  readonly sound: Sound | undefined;
  readonly lines: readonly Line[];
}

/** Read while it is drawn: it follows the places and the recording. */
export function toCallMuting({ call, sound, lines }: MutingOf): CallMuting {
  const { call_id } = call.leg.record;
  const part = toPart(sound);
  const seconds = (sound && toLength(sound)) ?? Infinity;
  const ofCall = mutedPlaces.value.filter(({ span }) => span.call_id === call_id);
  const places = ofCall.filter(({ span }) => span.part === part);
  const muteSpan = (span: Range, reason?: string) => {
    if (part === undefined || call_id === null) say(muteWords().noNumber);
    else {
      const place = { call_id, part, ...toTenths(span) };
      if (!addSpan({ ...place, ...(reason && { reason }) }, seconds)) say(muteWords().isWrong);
    }
  };
  const muteLine = (index: number) => {
    const at = lines[index]?.at;
    const span = at === undefined ? undefined : toLineSpan(call.messages, index, at);
    if (span !== undefined) muteSpan(span);
  };
  return {
    words: muteWords(),
    places,
    proposed: propose(call, part),
    isHidden: toHidden(call, toSpans(ofCall)),
    muteSpan,
    muteLoop() {
      const { value: loop } = sound?.loop ?? { value: undefined };
      if (loop?.to === undefined) say(muteWords().noAb);
      else muteSpan({ from: loop.from, to: loop.to });
    },
    muteLine: isTimed(call, sound) ? muteLine : undefined,
  };
}

/** The number of the recording in its call (D17); undefined until it is known, and where only its reference leads to it. */
function toPart(sound: Sound | undefined): number | undefined {
  const { call_id, part = 1 } = sound?.head.value?.wanted ?? {};
  return call_id === undefined ? undefined : part;
}

/** Only the first recording of a record begins with it, and only its length tells that a line is not in a later one. */
const isTimed = ({ leg: { parts } }: Call, sound: Sound | undefined): boolean =>
  sound?.which.part === 1 && (parts.length === 1 || toLength(sound) !== undefined);

const toRecordsOf = ({ leg, legs }: Call) =>
  legs.flatMap(({ record }) => (record.call_id === leg.record.call_id ? [record] : []));

/** The same rule as the hand-over has: without times nothing tells which words a place has. */
function toHidden(call: Call, spans: readonly CallSpan[]): (line: number) => boolean {
  const { messages } = call;
  if (spans.length === 0) return () => false;
  if (messages.length === 0) return () => true;
  const muted = muteMessages(messages, toRecordsOf(call), spans);
  return (line) => muted[line] !== messages[line];
}

/** Without those that are muted already. */
function propose(call: Call, part: number | undefined): Proposed {
  const { spans, untimed } = proposeSpans(call.messages, toRecordsOf(call));
  return { spans: spans.filter((span) => span.part === part && !isMuted(span)), untimed };
}
