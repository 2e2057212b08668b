// The lanes of a contact: each leg below the one before, on one axis; a click plays there, whatever leg it is in.
import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { agentOf } from "../fields.ts";
import type { Sound } from "../player/sound.ts";
import { contactWords } from "../text/contact-words.ts";
import { text } from "../text/text.ts";
import { showSeconds, toShown, zone } from "../time.ts";
import type { Leg } from "./load.ts";
import { type Segment, toTimeline } from "./timeline.ts";
import "../style/contact.css";

interface ContactProps {
  /** The leg that the page shows. */
  readonly leg: Leg;
  /** All of them, in the order of time. */
  readonly legs: readonly Leg[];
  readonly sound: Sound | undefined;
  readonly onPlay: (leg: Leg, at: number) => void;
}

export const nameLeg = (leg: Leg): string => agentOf(leg.record) || text.value.nobody;

const toPercent = (share: number): string => `${share * 100}%`;

export function Contact({ leg, legs, sound, onPlay }: ContactProps) {
  const w = contactWords();
  const { segments, breaks } = toTimeline(legs);
  return (
    <section class="contact" aria-label={w.legs}>
      <ol>
        {legs.map((one, index) => {
          const segment = segments[index];
          return (
            segment !== undefined && (
              <Lane
                key={index}
                leg={one}
                segment={segment}
                sound={one === leg ? sound : undefined}
                isCurrent={one === leg}
                onPlay={(at) => onPlay(one, at)}
              />
            )
          );
        })}
      </ol>
      <div class="breaks" aria-hidden="true">
        {breaks.map(({ from, to, seconds }) => (
          <span key={from} style={{ left: toPercent(from), width: toPercent(to - from) }}>
            <small>
              {showSeconds(seconds)} {w.noSound}
            </small>
          </span>
        ))}
      </div>
    </section>
  );
}

interface LaneProps {
  readonly leg: Leg;
  readonly segment: Segment;
  readonly sound: Sound | undefined;
  readonly isCurrent: boolean;
  readonly onPlay: (at: number) => void;
}

function Lane({ leg, segment, sound, isCurrent, onPlay }: LaneProps) {
  const w = contactWords();
  const { record, parts } = leg;
  const { from, to, seconds, isUndated } = segment;
  const time = toShown(record.datetime ?? "", zone.value)?.exact ?? w.undated;
  const isHeard = parts.length > 0;
  const what = [record.campaign, isHeard ? showSeconds(seconds) : w.notRecorded];
  const kind = [isHeard || "is-silent", !isUndated || "is-undated"];
  return (
    <li aria-current={isCurrent ? "true" : undefined}>
      <span class="who">
        <bdi class="cut">{nameLeg(leg)}</bdi>
        <small class="cut">{[time, ...what].filter(Boolean).join(" · ")}</small>
      </span>
      <span class="axis">
        <button
          type="button"
          class={`leg ${kind.filter((one) => one !== true).join(" ")}`}
          style={{ left: toPercent(from), width: toPercent(to - from) }}
          aria-label={isHeard ? w.play(nameLeg(leg), time) : w.open(nameLeg(leg), time)}
          onClick={(event) => {
            const { left, width } = event.currentTarget.getBoundingClientRect();
            // By the keyboard it is played from its beginning.
            const share = event.detail === 0 ? 0 : (event.clientX - left) / width;
            onPlay(share * seconds);
          }}
        >
          <Cursor sound={sound} seconds={seconds} />
        </button>
      </span>
    </li>
  );
}

/** Where the current leg is heard. */
function Cursor({ sound, seconds }: Pick<LaneProps, "sound"> & { readonly seconds: number }) {
  const cursor = useRef<HTMLElement>(null);
  useSignalEffect(() => {
    if (sound === undefined || cursor.current === null) return;
    const length = sound.length.value || seconds;
    cursor.current.style.left = toPercent(Math.min(1, sound.time.value / length));
  });
  return sound === undefined ? null : <i ref={cursor} />;
}
