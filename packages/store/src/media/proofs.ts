// What was found out by reading contents whole, kept for each state of each: to read them again would find the same.
import { isFault } from "../port/faults.ts";

// Above this many the oldest outcome is forgotten: about 3 MB of memory.
const MAX_PROOFS = 10_000;

/** Calls `prove` once for each key, also when many ask at a time. Who could not read at all may read the next time. */
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
