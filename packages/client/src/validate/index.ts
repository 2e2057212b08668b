// The entry point `@call-media/client/validate`: reports responses that leave the contract.
import { answers, schemas } from "@call-media/api/answer-schemas";

import type { Operation } from "../errors.ts";
import type { Validate } from "../options.ts";
import { type Fault, findFaults } from "../schema-faults.ts";

export type { Validate } from "../options.ts";

/** One difference between a response and the contract. It quotes no value, which may be personal data. */
export interface Drift extends Operation, Fault {
  /** Number of places in the response; `pointer` is the first of them. */
  readonly count: number;
}

/** How responses are checked, and where differences are reported. */
export interface ValidatorOptions {
  /** `warn` reports drift, `throw` also fails the call with a ProtocolError, `off` checks nothing. Default: `warn`. */
  readonly mode?: "off" | "warn" | "throw" | undefined;
  /** Share of the responses that is checked, 0 to 1. Default: 1, all. */
  readonly sample?: number | undefined;
  /** Called once for each difference in a response. Errors it throws are ignored. Default: `console.warn` writes a line. */
  readonly onDrift?: ((drift: Drift) => void) | undefined;
  /** From 0 up to but not 1; draws the sample. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/**
 * Creates the option `validate` of a client, which checks the JSON of each success against the contract and its decisions.
 * Recording streams are not checked. Fields that the contract does not have are allowed (D26).
 *
 * @throws TypeError naming the option that is wrong.
 * @example
 * ```ts
 * const validate = createValidator({ sample: 0.1, onDrift: (drift) => console.warn(drift) });
 * const client = createClient({ baseUrl, credentials, validate });
 * ```
 */
export function createValidator(options: ValidatorOptions = {}): Validate {
  const { mode = "warn", sample = 1, onDrift = warn, random = Math.random } = options;
  if (!["off", "warn", "throw"].includes(mode))
    throw new TypeError("mode must be off, warn or throw");
  if (!(sample >= 0 && sample <= 1)) throw new TypeError("sample must be a number from 0 to 1");
  return (body, operation) => {
    const schema = schemas[answers[operation.operationId] ?? ""];
    if (mode === "off" || schema === undefined || random() >= sample) return undefined;
    const drifts = toDrifts(findFaults(schema, body, schemas), operation);
    for (const drift of drifts) report(onDrift, drift);
    const [first] = drifts;
    return first && mode === "throw" ? `with ${toText(first)}` : undefined;
  };
}

/** Merges faults that differ only in the item of a list. */
function toDrifts(faults: readonly Fault[], { operationId, method, path }: Operation): Drift[] {
  const alike = Map.groupBy(faults, ({ pointer, expected, received }) =>
    [pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*"), expected, received].join("\n"),
  );
  return [...alike.values()].flatMap((group) =>
    group.slice(0, 1).map((fault) => ({
      operationId,
      method,
      path,
      ...fault,
      count: group.length,
    })),
  );
}

/** An error of the listener must not fail the call. */
function report(onDrift: (drift: Drift) => void, drift: Drift): void {
  try {
    onDrift(drift);
  } catch {
    // Ignored, as documented.
  }
}

function warn(drift: Drift): void {
  const times = drift.count > 1 ? ` (${drift.count} times)` : "";
  console.warn(`${drift.method} ${drift.path}: ${toText(drift)}${times}`);
}

function toText({ pointer, expected, received }: Fault): string {
  return `${received} at ${pointer || "the top"}, where the contract says ${expected}`;
}
