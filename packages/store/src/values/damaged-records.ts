// Records that are not what was written, as they are named to an operator: by their identifiers, and nothing else of them.
import { isFault, StoreFault } from "../port/faults.ts";

/** What is read, if it can be read and is what was written. */
export function readWhole<T>(
  read: () => T,
  isWhole: (found: T) => boolean = () => true,
): T | undefined {
  try {
    const found = read();
    return isWhole(found) ? found : undefined;
  } catch (error) {
    if (isFault(error, "damaged")) return undefined;
    throw error;
  }
}

/** `name`: as below. */
export const notWritten = (name: string) =>
  new StoreFault("damaged", `${name} is not what was imported`);

export function nameDamagedCall(callId: string | null, refId: string | null): string {
  if (callId !== null) return `call_id ${callId}`;
  return refId === null ? "a call without call_id and ref_id" : `ref_id ${refId}`;
}

export const nameDamagedPerson = (table: "user" | "flag", id: unknown) => `${table} ${String(id)}`;

export const nameDamagedMessage = (callId: unknown): string =>
  nameMessageOf(typeof callId === "string" ? nameDamagedCall(callId, null) : "no call");

/** `call`: as `nameDamagedCall` names it. */
export const nameMessageOf = (call: string): string => `a chat message of ${call}`;
