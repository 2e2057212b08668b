// The archives that the suite makes, each closed with the test that asks for it.
import { onTestFinished } from "vitest";
import type { CallStore } from "../index.ts";

/** Makes an empty archive; UTC when no time zone is given. */
export type CreateStore = (timeZone?: string) => Promise<CallStore>;

/** How far the suite goes, for an adapter that passes all of it elsewhere. */
export interface Extent {
  /** Only the topics in which adapters differ most. */
  readonly isShort?: boolean | undefined;
  /** A few random archives in place of many. */
  readonly hasFewRuns?: boolean | undefined;
}

/** The runs of a property that makes an archive in each. */
export const toRuns = (
  runs: number,
  { hasFewRuns = false }: Extent,
): { readonly numRuns: number } => ({
  numRuns: hasFewRuns ? Math.ceil(runs / 8) : runs,
});

const closed = new WeakSet<CallStore>();

/** Closes it now: a property makes more archives than a machine should have open at a time. */
export async function close(store: CallStore): Promise<void> {
  if (closed.has(store)) return;
  closed.add(store);
  await store[Symbol.asyncDispose]();
}

/** The same, for archives that go away with their test. */
export function closing(create: CreateStore): CreateStore {
  return async (timeZone) => {
    const store = await create(timeZone);
    onTestFinished(() => close(store));
    return store;
  };
}
