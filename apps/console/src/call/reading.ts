// How a transcript is read: along with the sound, and from hit to hit.
import { type ReadonlySignal, type Signal, useComputed, useSignal } from "@preact/signals";
import { playOnOpen } from "../player/playing.ts";
import type { Sound } from "../player/sound.ts";
import type { CallRoute } from "../route.ts";
import { focusFindBox } from "../ui/find-box.tsx";
import { useKeys } from "../ui/keys.ts";
import { goToNeighbour } from "./crumbs.tsx";
import {
  findHits,
  findLineAt,
  findPassage,
  hasTimes,
  type Hit,
  type Line,
  toStart,
} from "./lines.ts";

export interface Read {
  readonly lines: readonly Line[];
  readonly sound: Sound | undefined;
  readonly route: CallRoute;
}

export interface Reading {
  /** False without sound that can be played: there is nothing to follow. */
  readonly isHeard: boolean;
  /** True if lines can be played. */
  readonly isTimed: boolean;
  readonly isFollowing: Signal<boolean>;
  /** The line that is heard, or -1. */
  readonly current: ReadonlySignal<number>;
  readonly hits: readonly Hit[];
  /** The index of the current hit. */
  readonly place: Signal<number>;
  readonly playLine: (line: Line | undefined) => void;
  /** Goes to another hit, and around at the ends. */
  readonly goTo: (by: number) => void;
}

export function useReading({ lines, sound, route }: Read): Reading {
  const isHeard = sound !== undefined && sound.obstacle.value === undefined;
  const isTimed = isHeard && hasTimes(lines);
  const isFollowing = useSignal(true);
  const current = useComputed(() =>
    isTimed && sound.time.value > 0 ? findLineAt(lines, sound.time.value) : -1,
  );
  const hits = findHits(lines, route);
  // Where most of the words are is where the call is opened.
  const place = useSignal(
    Math.max(
      0,
      hits.findIndex(({ line }) => line === findPassage(lines, route.words)?.message),
    ),
  );
  const playLine = (line: Line | undefined) => {
    if (line?.at === undefined || sound === undefined) return;
    sound.seek(line.at);
    void sound.play();
  };
  const goTo = (by: number) => {
    if (hits.length === 0) return;
    place.value = (place.value + by + hits.length) % hits.length;
    isFollowing.value = false;
    const at = toStart(lines[hits[place.value]?.line ?? -1]);
    if (isTimed && at !== undefined) sound.seek(at);
  };
  const reading = { isHeard, isTimed, isFollowing, current, hits, place, playLine, goTo };
  const stepOn = (by: number) => goOn({ lines, sound, route }, reading, by);
  useKeys({
    n: () => stepOn(1),
    p: () => stepOn(-1),
    f: focusFindBox,
    "/": focusFindBox,
  });
  return reading;
}

/** From hit to hit, and from the last one to the next call of the results; without hits from line to line. */
function goOn({ lines, sound, route }: Read, reading: Reading, by: number): void {
  const { hits, place, isTimed, playLine, goTo } = reading;
  const isLast = hits[place.value + by] === undefined;
  if (hits.length === 0 && isTimed) {
    const timed = lines.filter(({ at }) => at !== undefined);
    playLine(timed[Math.max(0, findLineAt(timed, sound?.time.value ?? 0) + by)]);
  } else if (!isLast || route.find !== "") goTo(by);
  else {
    playOnOpen.value = sound?.isPlaying.value ?? false;
    playOnOpen.value = goToNeighbour(by) && playOnOpen.value;
  }
}
