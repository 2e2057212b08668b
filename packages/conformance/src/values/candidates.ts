// Values for parameters without fixtures: created in the run, from rows of lists, from examples of the document, and generated.
import { isDeepStrictEqual } from "node:util";
import type { Operation, Parameter } from "../document/document.ts";
import type { Schemas } from "../document/schemas.ts";
import { type Source, toWritten } from "../relations/sources.ts";
import { toWord } from "../items.ts";
import type { Run } from "../run.ts";
import { examplesOf, isFit, make, typeOf, UNKNOWN_UUID, UNKNOWN_WORD } from "./make.ts";
import { at, reach, toRowPlace, toText } from "./places.ts";

export interface Candidate {
  readonly value: unknown;
  /** True if the service itself returned it: it then has no reason to refuse a request with it. */
  readonly isKnown: boolean;
}

/** The source of a parameter's values: the operation, and the place in its rows or response, if known. */
export function sourceOf(
  run: Run,
  taker: Operation,
  parameter: string,
): (Source & { readonly place?: string }) | undefined {
  const source = run.sources.of(taker, parameter);
  return source && placed(run, source);
}

function placed(run: Run, source: Source): Source & { readonly place?: string } {
  const { operation, written, field } = source;
  const info = run.listInfo(operation);
  const place =
    written === undefined ? (field ?? info?.key[0]) : toRowPlace(written, info?.items ?? "");
  return { ...source, ...(place !== undefined && place !== "*" && { place }) };
}

/** Nearest first. Each value fits the parameter's own schema. */
export function candidatesOf(
  run: Run,
  operation: Operation,
  { name, schema, examples, literals, ...parameter }: Parameter,
): Candidate[] {
  const { schemas } = run.document;
  const source = run.sources.of(operation, name);
  const literal = run.sources.literalsOf(operation, name);
  const own = parameter.in === "path" ? run.own.find(operation)?.path[name] : undefined;
  const known = [
    ...literal.map((value) => ({ value, isKnown: true })),
    ...(own === undefined ? [] : [{ value: own, isKnown: true }]),
    ...knownValues(run, operation, name).map((value) => ({ value, isKnown: !source?.isGuess })),
  ];
  const isIdentifier = parameter.in === "path";
  const said = schema === undefined ? [] : examplesOf(schemas, schema);
  const shown = [...examples, ...said, ...literals].filter(
    (value) => schema === undefined || isFit(schemas, schema, value),
  );
  const made = schema === undefined || isIdentifier ? [] : [make(schemas, schema)];
  // An example or default of a query parameter is valid in itself. For an identifier, it is unknown whether the thing exists.
  const isValid = !isIdentifier && (source === undefined || source.isGuess === true);
  const all = [
    ...known,
    ...shown.map((value) => ({ value, isKnown: isValid })),
    // Nobody can say which texts a service reads, unless the schema does.
    ...made.map((value) => ({ value, isKnown: isValid && !isAnyText(schemas, schema) })),
  ];
  return all.filter(
    ({ value }, index) => all.findIndex((one) => isDeepStrictEqual(one.value, value)) === index,
  );
}

/** True if a schema does not say which texts, or which members of an object, a service accepts. */
function isAnyText(schemas: Schemas, schema = ""): boolean {
  const view = schemas.view(schema);
  const { format, pattern, enum: members, const: only } = view.said;
  if (view.items !== undefined) return isAnyText(schemas, view.items);
  const isFree = typeOf(view) === "string" || typeOf(view) === "object";
  return isFree && [format, pattern, members, only].every((one) => one === undefined);
}

/** Values that the service returned: of things that this run created, then of the rows of the list that `values` names. */
export const knownValues = (run: Run, taker: Operation, name: string): unknown[] =>
  valuesFrom(run, run.sources.of(taker, name));

export function valuesFrom(run: Run, named: Source | undefined): unknown[] {
  const source = named && placed(run, named);
  if (source === undefined) return [];
  const own = run.made.get(toWritten(source));
  const made = own === undefined ? [] : [own.value];
  const { place, sort } = source;
  const found = run.found.lists.get(source.operation)?.rows ?? [];
  const rows = sort
    ? found.filter((row) => toWord(toText(at(row, sort.place))) === toWord(sort.is))
    : found;
  const listed =
    place === undefined
      ? []
      : rows.flatMap((row) => reach(row, place)).filter((value) => value !== null);
  return [...made, ...listed];
}

/** A value in the parameter's format that no thing has. */
export function unknownOf(
  run: Run,
  { name, schema }: Pick<Parameter, "name" | "schema">,
  like: unknown,
): unknown {
  if (run.found.unknown.has(name)) return run.found.unknown.get(name);
  const view = schema === undefined ? undefined : run.document.schemas.view(schema);
  if (view?.said["format"] === "uuid") return UNKNOWN_UUID;
  if (typeof like === "number" || view?.types.includes("integer") === true) return 987_654_321;
  const text = typeof like === "string" ? like : "";
  if (/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)) return UNKNOWN_UUID;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return "2099-12-30";
  if (/^\d{1,8}$/.test(text)) return "987654321";
  // Keeps digits as digits and letters as letters, so that the value is unknown but its format is not.
  const mask = text.replaceAll(/\d/g, "9").replaceAll(/[a-z]/g, "q").replaceAll(/[A-Z]/g, "Q");
  // After a prefix, as in bk-1f0a, hexadecimal digits remain hexadecimal.
  const end = text.replace(/[\da-z]+$/i, (last) => last.replaceAll(/./g, "9"));
  const fits = [mask, end, UNKNOWN_WORD].find(
    (one) =>
      one !== "" &&
      one !== text &&
      (schema === undefined || isFit(run.document.schemas, schema, one)),
  );
  return fits ?? UNKNOWN_WORD;
}

export const keyValue = (run: Run, list: string, row: unknown): unknown => {
  const [place] = run.listInfo(list)?.key ?? [];
  return place === undefined || place === "*" ? undefined : at(row, place);
};
