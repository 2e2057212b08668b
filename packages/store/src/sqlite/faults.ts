// Converts SQLite's errors to those of the port.
import { StoreFault } from "../port/faults.ts";
import { isOfDamage } from "./files/database.ts";

/** Returns any other error unchanged. */
export function toStoreFault(error: unknown): unknown {
  if (error instanceof StoreFault || !(error instanceof Error)) return error;
  if (error.name === "IndexDamaged")
    return new StoreFault("damaged", `${error.message}: rebuild it ("reindex")`, { cause: error });
  const isDamage = isOfDamage(error);
  if (!isDamage && !("code" in error && error.code === "ERR_SQLITE_ERROR")) return error;
  const message = `the archive could not be read or written: ${error.message}`;
  return new StoreFault(isDamage ? "damaged" : "unavailable", message, { cause: error });
}

/** The same part of the port, with its methods throwing `StoreFault`, and its promises rejecting with it. */
export function guard<Part extends object>(part: Part): Part {
  const refuse = (error: unknown) => {
    throw toStoreFault(error);
  };
  const toGuarded =
    (method: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      try {
        const result = method(...given);
        return result instanceof Promise ? result.catch(refuse) : result;
      } catch (error) {
        return refuse(error);
      }
    };
  const methods = Object.entries(part).map(([name, method]) => [name, toGuarded(method)]);
  return { ...part, ...Object.fromEntries(methods) };
}
