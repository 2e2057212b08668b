// Garbage collection on demand, where the runtime has it.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects what nobody holds any more. */
export function collectGarbage(): void {
  const { Bun: bun } = globalThis as { readonly Bun?: { gc(isSynchronous: boolean): void } };
  if (bun !== undefined) return bun.gc(true);
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
