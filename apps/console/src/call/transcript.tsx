// The transcript of a call: people read it, search it, and follow it while they listen.
import { useComputed } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { replace, toLink } from "../address.ts";
import type { Sound } from "../player/sound.ts";
import type { CallRoute } from "../route.ts";
import type { CallMuting } from "../mute/call-muting.ts";
import { callWords } from "../text/call-words.ts";
import { showSeconds, toShown, zone } from "../time.ts";
import { IconButton } from "../ui/button.tsx";
import { copy } from "../ui/copy.ts";
import { FindBox } from "../ui/find-box.tsx";
import type { Hit, Line } from "./lines.ts";
import { LegHead } from "./leg-head.tsx";
import { LineView } from "./line-view.tsx";
import type { Leg } from "./load.ts";
import { type Reading, useReading } from "./reading.ts";
import { toSaid } from "./timeline.ts";

interface TranscriptProps {
  readonly lines: readonly Line[];
  readonly sound: Sound | undefined;
  readonly route: CallRoute;
  /** True for a later recording of a leg: where it begins is reckoned, or not known. */
  readonly isLater: boolean;
  readonly muting: CallMuting | undefined;
  /** The one that the page shows, and all of its call, in the order of time. */
  readonly leg: Leg;
  readonly legs: readonly Leg[];
  readonly onPlayLeg: (leg: Leg, at: number) => void;
  /** In place of its heading. */
  readonly tabs: ComponentChild;
}

export function Transcript(props: TranscriptProps) {
  const { lines, route, isLater } = props;
  const c = callWords();
  const list = useRef<HTMLOListElement>(null);
  const reading = useReading(props);
  const { isHeard, isTimed, isFollowing, current, hits, place } = reading;
  const hit = hits[place.value % Math.max(1, hits.length)];
  useFollowing({ list, current: current.value, isFollowing: isTimed && isFollowing.value });
  useEffect(() => {
    if (hit !== undefined) list.current?.children[hit.line]?.scrollIntoView({ block: "center" });
  }, [hit?.line, route.find, route.words]);
  const hasClock = lines.some(({ at, datetime }) => at === undefined && datetime !== "");
  return (
    <section aria-labelledby="transcript">
      <Head {...props} reading={reading} />
      {lines.length === 0 && <p class="quiet">{c.noTranscript}</p>}
      {lines.length > 0 && isHeard && !isTimed && (
        <p class="lines-note">{isLater ? c.startUnknown : c.noTimes}</p>
      )}
      {isTimed && isLater && <p class="lines-note">{c.startEstimated}</p>}
      <ol
        class={`lines${hasClock ? " has-clock" : ""}`}
        aria-label={c.transcript}
        ref={list}
        hidden={lines.length === 0}
      >
        <Lines {...props} reading={reading} hit={hit} />
      </ol>
    </section>
  );
}

interface ReadingProps extends TranscriptProps {
  readonly reading: Reading;
}

function Head({ lines, sound, route, tabs, reading }: ReadingProps) {
  const c = callWords();
  const { isTimed, isFollowing, current, hits, place, goTo } = reading;
  const now = useComputed(() => showSeconds(sound?.time.value ?? 0));
  return (
    <div class="section-head">
      {tabs ?? <h2 id="transcript">{c.transcript}</h2>}
      {isTimed && (
        <button
          type="button"
          class="button quiet"
          aria-pressed={isFollowing.value}
          onClick={() => (isFollowing.value = !isFollowing.value)}
        >
          {isFollowing.value || current.value < 0 ? c.follow : c.backTo(now.value)}
        </button>
      )}
      {lines.length > 0 && (
        <FindBox
          label={c.find}
          value={route.find || route.words}
          place={place.value}
          count={hits.length}
          onInput={(find) => {
            place.value = 0;
            replace({ ...route, find, words: "" });
          }}
          onStep={goTo}
        />
      )}
    </div>
  );
}

function Lines(props: ReadingProps & { readonly hit: Hit | undefined }) {
  const { lines, route, muting, leg, legs, onPlayLeg, reading, hit } = props;
  const { isTimed, current, hits, playLine } = reading;
  const said = legs.length > 1 ? lines.map(({ datetime }) => toSaid(legs, datetime)) : [];
  return lines.map((line, index) => {
    const { leg: of = leg, at } = said[index] ?? {};
    const isOther = of !== leg && at !== undefined;
    const isPlayed = isTimed && line.at !== undefined;
    const hasTime = isTimed || line.datetime !== "";
    return (
      <LineView
        // Lines have no identifier but their place.
        key={index}
        line={line}
        time={isOther ? showSeconds(at) : hasTime ? toClock(line) : undefined}
        isCurrent={index === current.value}
        hits={hits.filter((one) => one.line === index)}
        hit={hit}
        muted={muting?.isHidden(index) ? muting.words.isMuted : undefined}
        onPlay={isPlayed ? () => playLine(line) : isOther ? () => onPlayLeg(of, at) : undefined}
        head={
          said[index] !== undefined &&
          said[index - 1]?.leg !== of && <LegHead leg={of} legs={legs} />
        }
      >
        {muting?.muteLine !== undefined && isPlayed && (
          <IconButton
            icon="hush"
            label={muting.words.muteLine}
            onClick={() => muting.muteLine?.(index)}
          />
        )}
        <IconButton
          icon="copy"
          label={callWords().copyQuote}
          onClick={() => void copyQuote(line, route)}
        />
      </LineView>
    );
  });
}

const toClock = ({ at, datetime }: Line): string =>
  at === undefined ? (toShown(datetime, zone.value)?.exact ?? "") : showSeconds(at);

async function copyQuote({ who, said, at, datetime }: Line, route: CallRoute): Promise<void> {
  const when = at === undefined ? datetime : showSeconds(at);
  const link = toLink({
    ...route,
    find: "",
    words: "",
    at: at === undefined ? undefined : { from: Math.floor(at), to: undefined },
  });
  await copy(
    [when, `${who}:`, said, `(${link})`].filter((part) => part !== ":" && part !== "").join(" "),
    callWords().copiedQuote,
  );
}

interface Following {
  readonly list: { readonly current: HTMLOListElement | null };
  readonly current: number;
  readonly isFollowing: boolean;
}

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

/** The line that is heard comes into view. */
function useFollowing({ list, current, isFollowing }: Following): void {
  useLayoutEffect(() => {
    if (!isFollowing || current < 0) return;
    const line = list.current?.children[current];
    if (line === undefined) return;
    const { top, bottom } = line.getBoundingClientRect();
    // Where it is to be seen anyway, nothing moves.
    if (top > innerHeight * 0.25 && bottom < innerHeight * 0.8) return;
    line.scrollIntoView({ block: "center", behavior: isCalm.matches ? "instant" : "smooth" });
  }, [current, isFollowing]);
}
