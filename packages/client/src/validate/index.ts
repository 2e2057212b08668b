// The door of `@call-media/client/validate`: tells when the answers of a service leave the contract.
import { answers, schemas } from "@call-media/api/answer-schemas";

import type { Operation } from "../errors.ts";
import type { Validate } from "../options.ts";
import { type Fault, findFaults } from "../schema-faults.ts";

export type { Validate } from "../options.ts";

/** One way in which an answer leaves the contract. Nothing of the answer is quoted: it may be about a person. */
export interface Drift extends Operation, Fault {
  /** In how many places of the answer it is so; `pointer` is the first of them. */
  readonly count: number;
}

/** How answers are checked, and who is told. */
export interface ValidatorOptions {
  /** `warn` tells of drift, `throw` also fails the call with a ProtocolError, `off` checks nothing. Default: `warn`. */
  readonly mode?: "off" | "warn" | "throw" | undefined;
  /** Which share of the answers is checked, 0 to 1. Default: 1, all. */
  readonly sample?: number | undefined;
  /** Is told of each way once an answer. What it throws is ignored. Default: a line by `console.warn`. */
  readonly onDrift?: ((drift: Drift) => void) | undefined;
  /** From 0 up to but not 1; draws the sample. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/**
 * Checks the JSON of each success against the contract, the decisions included, as the option `validate` of a client. The bytes
 * of a recording stream are not its concern. Fields that the contract does not have are allowed (D26).
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
    for (const drift of drifts) tell(onDrift, drift);
    const [first] = drifts;
    return first && mode === "throw" ? `with ${toText(first)}` : undefined;
  };
}

/** Faults that are alike but for the item of a list become one. */
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

/** Telling must not break what is told of. */
function tell(onDrift: (drift: Drift) => void, drift: Drift): void {
  try {
    onDrift(drift);
  } catch {
    // Nobody to tell.
  }
}

function warn(drift: Drift): void {
  const times = drift.count > 1 ? ` (${drift.count} times)` : "";
  console.warn(`${drift.method} ${drift.path}: ${toText(drift)}${times}`);
}

function toText({ pointer, expected, received }: Fault): string {
  return `${received} at ${pointer || "the top"}, where the contract says ${expected}`;
}
