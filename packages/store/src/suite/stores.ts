// The archives that the suite makes, each closed with the test that asks for it.
import { onTestFinished } from "vitest";
import type { CallStore } from "../index.ts";

/** Makes an empty archive; UTC when no time zone is given. */
export type CreateStore = (timeZone?: string) => Promise<CallStore>;

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
