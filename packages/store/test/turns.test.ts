// Turns at a few places: nobody's questions wait for all of somebody else's.
import { expect, onTestFinished, test, vi } from "vitest";
import { createTurns } from "../src/values/turns.ts";

interface Turn {
  readonly by: string;
  readonly name: string;
}

/** Two places; `started` and `taken` grow with what happens. */
function open({ lends = true, places = 2 } = {}) {
  const [started, taken]: [string[], Turn[]] = [[], []];
  const turns = createTurns<Turn>({
    places,
    start: ({ name }) => void started.push(name),
    ...(lends && { takeBack: (turn) => void taken.push(turn) }),
  });
  const add = (name: string): Turn => {
    const turn = { by: name.slice(0, 1), name };
    turns.add(turn);
    return turn;
  };
  return { ...turns, add, started, taken };
}

test("who is alone has all places; of two, nobody has more than half", () => {
  const { add, end, started } = open();
  const [a1] = [add("a1"), add("a2"), add("a3")];
  expect(started).toEqual(["a1", "a2"]);
  const b1 = add("b1");
  end(a1);
  expect(started).toEqual(["a1", "a2", "b1"]);
  end(b1);
  expect(started).toEqual(["a1", "a2", "b1"]); // a3 waits for a2, though a place is free
});

test("what was lent is taken back for another caller, once, and goes on before the rest", () => {
  const { add, end, started, taken } = open();
  const [, a2] = [add("a1"), add("a2"), add("a3")];
  for (const name of ["b1", "b2"]) add(name);
  expect(taken).toEqual([a2]);
  end(a2, true);
  expect(started).toEqual(["a1", "a2", "b1"]);
});

test("callers take turns, however many questions one of them has, and what was cut is first of its own", () => {
  const { add, end, started } = open({ places: 1 });
  const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map(add);
  const endRunning = (isCut: boolean) => {
    const running = all.find(({ name }) => name === started.at(-1));
    if (running !== undefined) end(running, isCut);
  };
  for (const isCut of [true, false, false, false, false, false]) endRunning(isCut);
  expect(started).toEqual(["a1", "a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("without taking back nobody is lent more than half", () => {
  const { add, started } = open({ lends: false, places: 8 });
  for (let index = 0; index < 9; index += 1) add(`a${index}`);
  expect(started).toEqual(["a0", "a1", "a2", "a3"]);
  for (let index = 0; index < 9; index += 1) add(`b${index}`);
  expect(started.slice(4)).toEqual(["b0", "b1", "b2", "b3"]);
});

test("a caller who has long not asked is no longer there", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { add, end, started } = open();
  end(add("b1"));
  vi.advanceTimersByTime(61_000);
  for (const name of ["a1", "a2"]) add(name);
  expect(started).toEqual(["b1", "a1", "a2"]);
});

test("when too many wait, the newest of who has most gives way, one's own when nobody has more", () => {
  const { add, newestOfMost, remove, countWaiting } = open({ places: 1 });
  const [, , a3, b1] = [add("a1"), add("a2"), add("a3"), add("b1")];
  expect([newestOfMost("b"), newestOfMost("c"), countWaiting()]).toEqual([a3, a3, 3]);
  expect([remove(a3), remove(a3)]).toEqual([true, false]);
  expect(newestOfMost("b")).toBe(b1);
});
