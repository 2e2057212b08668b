// Runs contenders in alternation, so that other load on the machine affects all of them alike.
import { toMedian } from "./measure.ts";

/** The result of each contender in one turn. */
export type Turn<Name extends string, Measured> = Readonly<Record<Name, Measured>>;

/** Runs each of `kinds` `count` times in alternation, after one run of each that is not counted, as a warm-up. */
export async function takeTurns<Name extends string, Measured>(
  kinds: Readonly<Record<Name, () => Promise<Measured>>>,
  count: number,
): Promise<Turn<Name, Measured>[]> {
  const turns: Turn<Name, Measured>[] = [];
  for (let turn = 0; turn <= count; turn++) {
    const measured: Partial<Record<Name, Measured>> = {};
    for (const name of Object.keys(kinds) as Name[]) measured[name] = await kinds[name]();
    if (turn > 0) turns.push(measured as Turn<Name, Measured>); // every name has been asked
  }
  return turns;
}

/** The median over the turns. */
export function toTurnMedian<Name extends string, Measured>(
  turns: readonly Turn<Name, Measured>[],
  read: (turn: Turn<Name, Measured>) => number,
): number {
  return toMedian(turns.map(read));
}
