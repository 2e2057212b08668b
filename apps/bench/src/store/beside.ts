// Times of several things that are done in turns: what else the machine does strikes all of them alike.
import { toMedian } from "../measure.ts";

/** Enough for a median that hardly moves. */
export const REPEATS = 60;
const MAX_MS = 6_000;
const WARM_UP = 8;

type Ask = (index: number) => Promise<unknown>;

/** The median time of each, in ms, told how often it was asked before; of `repeats` the first eight do not count, and slow ones are fewer. */
export async function measureBeside<Name extends string>(
  asks: Readonly<Record<Name, Ask | undefined>>,
  repeats: number,
): Promise<Readonly<Record<Name, number | undefined>>> {
  const times = {} as Record<Name, number[]>; // filled as they are asked
  const startMs = performance.now();
  for (let index = 0; index < repeats; index += 1) {
    if (performance.now() - startMs > MAX_MS && index > WARM_UP + 1) break;
    for (const [name, ask] of Object.entries(asks) as [Name, Ask | undefined][]) {
      // its own keys
      if (ask === undefined) continue;
      const beforeMs = performance.now();
      await ask(index);
      if (index >= WARM_UP) (times[name] ??= []).push(performance.now() - beforeMs);
    }
  }
  const names = Object.keys(asks) as Name[]; // its own keys
  return Object.fromEntries(
    names.map((name) => [name, times[name] && toMedian(times[name])]),
  ) as Record<Name, number | undefined>; // one for each name
}
