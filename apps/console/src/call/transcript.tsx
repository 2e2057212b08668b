// The transcript of a call: people read it, search it, and follow it while they listen.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { replace, toLink } from "../address.ts";
import { playOnOpen } from "../player/playing.ts";
import type { Sound } from "../player/sound.ts";
import type { CallRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { showSeconds, toShown, zone } from "../time.ts";
import { IconButton } from "../ui/button.tsx";
import { copy } from "../ui/copy.ts";
import { Icon } from "../ui/icon.tsx";
import { useKeys } from "../ui/keys.ts";
import { goToNeighbour } from "./crumbs.tsx";
import { Marked } from "./marked.tsx";
import {
  findHits,
  findLineAt,
  findPassage,
  hasTimes,
  type Hit,
  type Line,
  toStart,
} from "./lines.ts";

interface TranscriptProps {
  readonly lines: readonly Line[];
  readonly sound: Sound | undefined;
  readonly route: CallRoute;
  /** True for a later recording of a leg: where it begins is reckoned, or not known. */
  readonly isLater: boolean;
}

export function Transcript({ lines, sound, route, isLater }: TranscriptProps) {
  const t = text.value;
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
  const { value: hit } = useComputed(() => hits[place.value % Math.max(1, hits.length)]);
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
  useKeys({
    n: () => stepOn(1),
    p: () => stepOn(-1),
    f: () => document.getElementById("find")?.focus(),
    "/": () => document.getElementById("find")?.focus(),
  });

  return (
    <section aria-labelledby="transcript">
      <div class="section-head">
        <h2 id="transcript">{t.transcript}</h2>
        {isTimed && (
          <button
            type="button"
            class="button quiet"
            aria-pressed={isFollowing.value}
            onClick={() => (isFollowing.value = !isFollowing.value)}
          >
            {isFollowing.value || current.value < 0 ? t.follow : t.backTo(now.value)}
          </button>
        )}
        {lines.length > 0 && (
          <Find
            route={route}
            words={hits.length === 0 ? t.noHits : t.hits(place.value + 1, hits.length)}
            onChange={() => (place.value = 0)}
            onStep={(by) => goTo(by)}
          />
        )}
      </div>
      {lines.length === 0 && <p class="quiet">{t.noTranscript}</p>}
      {lines.length > 0 && isHeard && !isTimed && (
        <p class="lines-note">{isLater ? t.startUnknown : t.noTimes}</p>
      )}
      {isTimed && isLater && <p class="lines-note">{t.startEstimated}</p>}
      <ol
        class={`lines${lines.some(({ at, datetime }) => at === undefined && datetime !== "") ? " has-clock" : ""}`}
        aria-label={t.transcript}
        ref={list}
        hidden={lines.length === 0}
      >
        {lines.map((line, index) => (
          <LineView
            // Lines have no identifier but their place.
            key={index}
            line={line}
            isTimed={isTimed}
            isCurrent={index === current.value}
            hits={hits.filter((one) => one.line === index)}
            hit={hit}
            onPlay={() => playLine(line)}
            onCopy={() => void copyQuote(line, route)}
          />
        ))}
      </ol>
    </section>
  );
}

interface FindProps {
  readonly route: CallRoute;
  readonly words: string;
  readonly onChange: () => void;
  readonly onStep: (by: number) => void;
}

function Find({ route, words, onChange, onStep }: FindProps) {
  const t = text.value;
  const wanted = route.find || route.words;
  return (
    <>
      <div class="box">
        <Icon name="search" isSmall />
        <input
          id="find"
          type="search"
          aria-label={t.find}
          placeholder={t.find}
          value={wanted}
          onInput={(event) => {
            onChange();
            replace({ ...route, find: event.currentTarget.value, words: "" });
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        {wanted !== "" && (
          <span class="number" role="status">
            {words}
          </span>
        )}
      </div>
      {wanted !== "" && (
        <span class="steps">
          <IconButton icon="up" label={t.previousHit} onClick={() => onStep(-1)} />
          <IconButton icon="down" label={t.nextHit} onClick={() => onStep(1)} />
        </span>
      )}
    </>
  );
}

interface LineViewProps {
  readonly line: Line;
  readonly isTimed: boolean;
  readonly isCurrent: boolean;
  readonly hits: readonly Hit[];
  readonly hit: Hit | undefined;
  readonly onPlay: () => void;
  readonly onCopy: () => void;
}

const LANES = { agent: "lane-1", customer: "lane-2", other: "quiet" } as const;

function LineView({ line, isTimed, isCurrent, hits, hit, onPlay, onCopy }: LineViewProps) {
  const { who, party, said, at, datetime } = line;
  const time = at === undefined ? toShown(datetime, zone.value)?.exact : showSeconds(at);
  const content = (
    <>
      {(isTimed || datetime !== "") && <time>{time}</time>}
      <span class={`speaker cut ${LANES[party]}`}>
        <bdi>{who}</bdi>
      </span>
      <span class="said">
        <bdi>
          <Marked said={said} hits={hits} hit={hit} />
        </bdi>
      </span>
    </>
  );
  const isUntimed = !isTimed && datetime === "";
  return (
    <li class="line-item">
      {at === undefined || !isTimed ? (
        <div class={`line${isUntimed ? " untimed" : ""}`}>{content}</div>
      ) : (
        <button
          type="button"
          class="line"
          aria-current={isCurrent ? "true" : undefined}
          onClick={onPlay}
        >
          {content}
        </button>
      )}
      <IconButton icon="copy" label={text.value.copyQuote} class="copy" onClick={onCopy} />
    </li>
  );
}

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
    text.value.copiedQuote,
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
