// The transcript of a call: people read it, search it, and follow it while they listen.
import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { replace, toLink } from "../address.ts";
import { playOnOpen } from "../player/playing.ts";
import type { Sound } from "../player/sound.ts";
import type { CallRoute } from "../route.ts";
import type { CallMuting } from "../mute/call-muting.ts";
import { callWords } from "../text/call-words.ts";
import { showSeconds, toShown, zone } from "../time.ts";
import { IconButton } from "../ui/button.tsx";
import { copy } from "../ui/copy.ts";
import { FindBox, focusFindBox } from "../ui/find-box.tsx";
import { useKeys } from "../ui/keys.ts";
import { goToNeighbour } from "./crumbs.tsx";
import { findHits, findLineAt, findPassage, hasTimes, type Line, toStart } from "./lines.ts";
import { LegHead } from "./leg-head.tsx";
import { LineView } from "./line-view.tsx";
import type { Leg } from "./load.ts";
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
  const { lines, sound, route, isLater, muting, leg, legs, onPlayLeg, tabs } = props;
  const c = callWords();
  const list = useRef<HTMLOListElement>(null);
  // Without sound there is nothing to follow.
  const isHeard = sound !== undefined && sound.obstacle.value === undefined;
  const isTimed = isHeard && hasTimes(lines);
  const isFollowing = useSignal(true);
  const current = useComputed(() =>
    isTimed && sound.time.value > 0 ? findLineAt(lines, sound.time.value) : -1,
  );
  const now = useComputed(() => showSeconds(sound?.time.value ?? 0));
  const hits = findHits(lines, route);
  // Where most of the words are is where the call is opened.
  const place = useSignal(
    Math.max(
      0,
      hits.findIndex(({ line }) => line === findPassage(lines, route.words)?.message),
    ),
  );
  const hit = hits[place.value % Math.max(1, hits.length)];
  useFollowing({ list, current: current.value, isFollowing: isTimed && isFollowing.value });
  useEffect(() => {
    if (hit !== undefined) list.current?.children[hit.line]?.scrollIntoView({ block: "center" });
  }, [hit?.line, route.find, route.words]);

  const playLine = (line: Line | undefined) => {
    if (line?.at === undefined || sound === undefined) return;
    sound.seek(line.at);
    void sound.play();
  };
  const step = (by: number) => {
    const timed = lines.filter(({ at }) => at !== undefined);
    const at = findLineAt(timed, sound?.time.value ?? 0);
    playLine(timed[Math.max(0, at + by)]);
  };
  const goTo = (by: number) => {
    if (hits.length === 0) return;
    place.value = (place.value + by + hits.length) % hits.length;
    isFollowing.value = false;
    const at = toStart(lines[hits[place.value]?.line ?? -1]);
    if (isTimed && at !== undefined) sound.seek(at);
  };
  /** From hit to hit, and from the last one to the next call of the results; without hits from line to line. */
  const stepOn = (by: number) => {
    const isLast = hits[place.value + by] === undefined;
    if (hits.length === 0 && isTimed) step(by);
    else if (!isLast || route.find !== "") goTo(by);
    else {
      playOnOpen.value = sound?.isPlaying.value ?? false;
      playOnOpen.value = goToNeighbour(by) && playOnOpen.value;
    }
  };
  const said = legs.length > 1 ? lines.map(({ datetime }) => toSaid(legs, datetime)) : [];
  useKeys({
    n: () => stepOn(1),
    p: () => stepOn(-1),
    f: focusFindBox,
    "/": focusFindBox,
  });

  return (
    <section aria-labelledby="transcript">
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
      {lines.length === 0 && <p class="quiet">{c.noTranscript}</p>}
      {lines.length > 0 && isHeard && !isTimed && (
        <p class="lines-note">{isLater ? c.startUnknown : c.noTimes}</p>
      )}
      {isTimed && isLater && <p class="lines-note">{c.startEstimated}</p>}
      <ol
        class={`lines${lines.some(({ at, datetime }) => at === undefined && datetime !== "") ? " has-clock" : ""}`}
        aria-label={c.transcript}
        ref={list}
        hidden={lines.length === 0}
      >
        {lines.map((line, index) => {
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
              onPlay={
                isPlayed ? () => playLine(line) : isOther ? () => onPlayLeg(of, at) : undefined
              }
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
                label={c.copyQuote}
                onClick={() => void copyQuote(line, route)}
              />
            </LineView>
          );
        })}
      </ol>
    </section>
  );
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
