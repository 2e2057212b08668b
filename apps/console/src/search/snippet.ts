// The passages of a search by words, below its rows. The code that finds them is loaded with the first such search.
import type { CallMediaClient } from "@call-media/client";
import { signal } from "@preact/signals";
import type { Passages } from "./passages.ts";

const load = () => import("./passages.ts");

/** Why these words cannot be searched for; undefined if they can. */
export const findFault = async (words: string): Promise<string | undefined> =>
  (await load()).toFault(words);

const NO_PASSAGES: Passages = {
  of: () => undefined,
  linesOf: async () => [],
  want: () => {},
  dispose: () => {},
};

/** Returns without waiting for the code that finds passages. */
export function createPassages(client: CallMediaClient, words: string): Passages {
  if (words === "") return NO_PASSAGES;
  const found = signal<Passages | undefined>(undefined);
  const loading = load().then((by) => (found.value = by.findPassages(client, words)));
  return {
    of: (record) => found.value?.of(record),
    linesOf: async (record) => (await loading).linesOf(record),
    want: (records) => void loading.then((passages) => passages.want(records)),
    dispose: () => void loading.then((passages) => passages.dispose()),
  };
}
