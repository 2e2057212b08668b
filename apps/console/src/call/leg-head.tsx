// Above the first line of a leg: which it is, with whom, when, and how long after the one before.
import { contactWords } from "../text/contact-words.ts";
import { showSeconds, toShown, zone } from "../time.ts";
import { nameLeg } from "./contact.tsx";
import type { Leg } from "./load.ts";
import { secondsBetween } from "./timeline.ts";

interface LegHeadProps {
  readonly leg: Leg;
  /** The legs of its call, in the order of time. */
  readonly legs: readonly Leg[];
}

export function LegHead({ leg, legs }: LegHeadProps) {
  const w = contactWords();
  const place = legs.indexOf(leg);
  const before = legs[place - 1];
  const gap = before && secondsBetween(before, leg);
  return (
    <p class="leg-head">
      <b>
        {w.leg(place + 1)} · <bdi>{nameLeg(leg)}</bdi>
      </b>
      <span>{toShown(leg.record.datetime ?? "", zone.value)?.exact}</span>
      {gap !== undefined && (
        <span>{gap < 0 ? w.overlaps(showSeconds(-gap)) : w.after(showSeconds(gap))}</span>
      )}
    </p>
  );
}
