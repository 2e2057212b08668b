// Values that a schema rejects, with one fault each.
import type { JsonObject } from "@call-media/contract-diff";
import type { Schemas } from "../document/schemas.ts";
import { isFit, typeOf } from "./make.ts";

export interface Broken {
  readonly value: unknown;
  /** Text that follows the name and describes the fault: "is no integer". */
  readonly how: string;
  /** True if a lenient service may take it: it clamps what is beyond a bound, and reads other letter case and other forms of a day. */
  readonly isBound: boolean;
}

/** `text`: the value is in a path or query, where a number is written as text. */
export function breakValue(schemas: Schemas, pointer: string, isText: boolean): readonly Broken[] {
  const view = schemas.view(pointer);
  const { said } = view;
  const type = typeOf(view);
  const fault = (value: unknown, how: string): Broken => ({ value, how, isBound: false });
  const bound = (value: unknown, how: string): Broken => ({ value, how, isBound: true });
  const [minimum, maximum] = [said["minimum"], said["maximum"]];
  const [shortest, longest] = [said["minLength"], said["maxLength"]];
  const made: Broken[] = [
    ...(["integer", "number", "boolean"].includes(type) ? [fault("abc", `is no ${type}`)] : []),
    ...(type === "integer"
      ? [isText ? fault("1x", "has a letter after its digits") : fault(1.5, "is no integer")]
      : []),
    ...(Array.isArray(said["enum"]) ? [fault("no-such-choice", "is no choice")] : []),
    ...formatFaults(said["format"]).map((value) => fault(value, `is no ${String(said["format"])}`)),
    ...(type === "string" && !isText
      ? [fault(17, "is a number"), fault(["probe"], "is an array")]
      : []),
    ...(type === "array" && !isText ? [fault("probe", "is no array")] : []),
    ...(type === "object" && !isText ? [fault("probe", "is no object")] : []),
    ...(!isText && !view.types.includes("null") ? [fault(null, "is null")] : []),
    ...(isText ? otherForms(said).map((value) => bound(value, "is written otherwise")) : []),
    ...(typeof minimum === "number" ? [bound(minimum - 1, `is below ${minimum}`)] : []),
    ...(typeof maximum === "number" ? [bound(maximum + 1, `is above ${maximum}`)] : []),
    ...(typeof shortest === "number" && shortest > 0 && !isText ? [bound("", "is empty")] : []),
    ...(typeof longest === "number" && longest < 10_000
      ? [bound("x".repeat(longest + 1), `has more than ${longest} characters`)]
      : []),
    ...(typeof said["pattern"] === "string"
      ? [bound("\u2028~", `does not match ${said["pattern"]}`)]
      : []),
  ];
  return made.filter(
    ({ value, isBound }) => (isText && !isBound) || !isFit(schemas, pointer, value),
  );
}

/** A choice in other letter case, and a day with a time or without its zeros. */
function otherForms({ format, enum: choices }: JsonObject): readonly string[] {
  if (format === "date") return ["2026-03-01T00:00:00Z", "2026-3-1"];
  const [first] = Array.isArray(choices) ? choices : [];
  if (typeof first !== "string") return [];
  const upper = first.toUpperCase();
  return [upper === first ? first.toLowerCase() : upper];
}

function formatFaults(format: unknown): readonly string[] {
  if (format === "date") return ["2026-02-30", "tomorrow"];
  if (format === "date-time") return ["2026-02-30T00:00:00Z", "tomorrow"];
  if (format === "uuid") return ["not-a-uuid"];
  return format === "email" ? ["no address"] : [];
}
