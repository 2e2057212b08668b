// Describes a wrong value: one sentence for each way in which a schema of the contract can reject it.
import type { ErrorObject } from "ajv/dist/2020.js";

type Phrase = (error: ErrorObject) => string;

const boundsRule: Phrase = ({ parentSchema }) => {
  const { minimum, maximum } = parentSchema as { minimum: number; maximum: number }; // every integer of the contract has both
  return `must be an integer from ${minimum} to ${maximum}`;
};
// For a value that is not an integer, the bounds are named only if they are the field's own, not the number format's.
const integerRule: Phrase = (error) =>
  error.parentSchema?.["minimum"] === Number.MIN_SAFE_INTEGER
    ? "must be an integer"
    : boundsRule(error);
const dateRule: Phrase = () => "must be a calendar day written YYYY-MM-DD";

const PHRASES: Readonly<Record<string, Phrase>> = {
  type: (error) => (error.params["type"] === "integer" ? integerRule(error) : "must be a string"),
  minimum: boundsRule,
  maximum: boundsRule,
  format: dateRule,
  pattern: dateRule,
  enum: ({ params }) => `must be one of ${params["allowedValues"].join(", ")}`,
  minLength: () => "must not be empty",
  maxLength: ({ params }) => `must have at most ${params["limit"]} characters`,
};

/** The fault of one value, to follow its name: "must be an integer". */
export function toFault(error: ErrorObject | undefined): string {
  if (error === undefined) return UNKNOWN;
  return PHRASES[error.keyword]?.(error) ?? UNKNOWN;
}

/** The fault of a JSON body as a sentence that names the field. */
export function toBodyFault(error: ErrorObject | undefined): string {
  if (error === undefined) return `The body ${UNKNOWN}`;
  const field = error.instancePath.slice(1);
  if (error.keyword === "additionalProperties")
    return `${error.params["additionalProperty"]} is not a known field`;
  if (error.keyword === "required") return `${error.params["missingProperty"]} is required`;
  return field === "" ? "The body must be a JSON object" : `${field} ${toFault(error)}`;
}

/** D11. */
export const EMPTY_FILTER = "The body must name at least one filter field";

const UNKNOWN = "is not what the contract asks for";
