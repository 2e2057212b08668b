// Work on several rows at once: its results come in the order of the rows, and nothing goes on after the end.
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { eachInOrder, type Work } from "../src/each-in-order.ts";

/** Work of which the later is done the sooner; that of `wrong` fails. */
function createWork({ wrong, characters = 1 }: { wrong?: number; characters?: number } = {}) {
  let [underWay, most, done] = [0, 0, 0];
  const carryOut = async (number: number) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await setTimeout(20 - (number % 20));
    underWay -= 1;
    if (number === wrong) throw new Error(`of ${number}`);
    done += 1;
    return number;
  };
  return {
    counts: () => ({ underWay, most, done }),
    all: async function* (count = 30): AsyncGenerator<Work<number>, void> {
      for (let number = 0; number < count; number += 1)
        yield { characters, carryOut: () => carryOut(number) };
    },
  };
}

async function readAll<T>(all: AsyncIterable<T>): Promise<{ read: T[]; fault?: unknown }> {
  const read: T[] = [];
  try {
    for await (const one of all) read.push(one);
    return { read };
  } catch (fault) {
    return { read, fault };
  }
}

test.each([
  ["eight", 1, 8],
  ["of long rows fewer", 300_000, 4],
  ["of very long ones one", 2_000_000, 1],
])(
  "what comes of each is in their order, and %s are under way at most",
  async (_what, characters, most) => {
    const work = createWork({ characters });
    const read = Array.from({ length: 30 }, (_, number) => number);
    expect(await readAll(eachInOrder(work.all()))).toEqual({ read });
    expect(work.counts()).toEqual({ underWay: 0, most, done: 30 });
  },
);

test("what fails is told in its turn, and nothing goes on after that", async () => {
  const work = createWork({ wrong: 5 });
  const fault = new Error("of 5");
  expect(await readAll(eachInOrder(work.all()))).toEqual({ read: [0, 1, 2, 3, 4], fault });
  const { underWay, done } = work.counts();
  expect(underWay).toBe(0);
  await setTimeout(30);
  expect(work.counts().done).toBe(done);
});

test("whoever has seen enough leaves nothing under way", async () => {
  const work = createWork({ wrong: 7 });
  for await (const result of eachInOrder(work.all())) if (result === 3) break;
  expect(work.counts().underWay).toBe(0);
});

test("what cannot be read is told after what could be", async () => {
  const work = createWork();
  const fault = new Error("of the source");
  async function* broken() {
    yield* work.all(3);
    throw fault;
  }
  expect(await readAll(eachInOrder(broken()))).toEqual({ read: [0, 1, 2], fault });
  expect(work.counts()).toMatchObject({ underWay: 0, done: 3 });
});
