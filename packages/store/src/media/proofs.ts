// Caches the results of reading complete contents, by content and state: reading the same state again would yield the same result.
import { isFault } from "../port/faults.ts";

// Above this number the oldest result is dropped; they take about 3 MB of memory.
const MAX_PROOFS = 10_000;

/** Calls `prove` once for each key, even for parallel callers. A read that failed is tried again next time. */
export function createProofs(): (key: string, prove: () => Promise<string>) => Promise<string> {
  const proofs = new Map<string, Promise<string>>();
  return (key, prove) => {
    const known = proofs.get(key);
    if (known !== undefined) return known;
    const proof = prove();
    proofs.set(key, proof);
    proof.catch((error: Error) => {
      if (!isFault(error, "damaged") || error.cause !== undefined) proofs.delete(key);
    });
    const [oldest] = proofs.keys();
    if (proofs.size > MAX_PROOFS && oldest !== undefined) proofs.delete(oldest);
    return proof;
  };
}
