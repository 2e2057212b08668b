// Assigns channels to speakers.
import { type ReadonlySignal, useComputed } from "@preact/signals";
import type { Line } from "../call/lines.ts";
import { callWords } from "../text/call-words.ts";
import { guessAgent } from "./peaks.ts";
import type { Sound } from "./sound.ts";

export interface Lane {
  readonly name: string;
  readonly lane: "lane-1" | "lane-2";
}

/** Names the channels as far as the times of the lines show it; `isSwapped` is the listener's correction. */
export function useLanes(
  sound: Sound,
  lines: readonly Line[],
  isSwapped: ReadonlySignal<boolean>,
): ReadonlySignal<readonly Lane[]> {
  return useComputed((): readonly Lane[] => {
    const c = callWords();
    const { value: peaks } = sound.peaks;
    if (peaks === undefined || peaks.channels.length !== 2) return [{ name: "", lane: "lane-1" }];
    const timed = lines.filter(({ at, party }) => at !== undefined && party !== "other");
    const agent = guessAgent(
      peaks,
      timed.map(({ at, party }, index) => ({
        isAgent: party === "agent",
        from: at ?? 0,
        to: timed[index + 1]?.at ?? peaks.seconds,
      })),
    );
    if (agent === undefined && !isSwapped.value)
      return [
        { name: c.channel(1), lane: "lane-1" },
        { name: c.channel(2), lane: "lane-2" },
      ];
    const names: readonly Lane[] = [
      { name: c.agentLane, lane: "lane-1" },
      { name: c.customerLane, lane: "lane-2" },
    ];
    return ((agent ?? 1) === 0) === isSwapped.value ? names.toReversed() : names;
  });
}
