// Generates the input of an operation's requests from the document: its examples, and everything it forbids.
import type { ParameterObject, Route, SchemaObject } from "@call-media/api";

type Values = Readonly<Record<string, unknown>>;

/** Like `OperationInput` of the contract, but possibly invalid. */
export interface Input {
  readonly path: Values;
  readonly query: Values;
  readonly header: Values;
  readonly body?: unknown;
}

/** An input with one fault. */
export interface WrongInput {
  readonly fault: string;
  /** The parameter or field that the error must name; "body" if the complete body is wrong. */
  readonly about: string;
  readonly input: Input;
}

/** The document's own example of every parameter and of the body. */
export function toExampleInput({ parameters, body }: Route): Input {
  const [example] = Object.values(body?.examples ?? {});
  const empty: Input = { path: {}, query: {}, header: {}, body: example?.value };
  return parameters.reduce((input, parameter) => set(input, parameter, parameter.example), empty);
}

/** Breaks the schemas of the operation in every possible way, one at a time, starting from `right`. */
export function toWrongInputs(route: Route, right: Input): WrongInput[] {
  const parameters = route.parameters.flatMap((parameter) => toWrongParameters(parameter, right));
  const bodies = route.body?.schema === undefined ? [] : toWrongBodies(route.body.schema, right);
  return [...parameters, ...bodies];
}

/** Changes the case of query parameter names, which are case-sensitive. Prism ignores case and accepts them. */
export function toMiscasedInputs({ parameters }: Route, right: Input): WrongInput[] {
  return parameters.filter(isRequiredQuery).map(({ name }) => {
    const { [name]: value, ...others } = right.query;
    const query = { ...others, [name.toUpperCase()]: value };
    return { fault: `${name} in capitals`, about: name, input: { ...right, query } };
  });
}

function toWrongParameters(parameter: ParameterObject, right: Input): WrongInput[] {
  const { name } = parameter;
  const wrong = toWrongTexts(parameter).map((text) => ({
    fault: `${name} ${text.length > 40 ? "too long" : JSON.stringify(text)}`,
    about: name,
    input: set(right, parameter, text),
  }));
  if (!isRequiredQuery(parameter)) return wrong;
  const { [name]: _, ...query } = right.query;
  return [{ fault: `no ${name}`, about: name, input: { ...right, query } }, ...wrong];
}

function toWrongTexts({ required, schema }: ParameterObject): string[] {
  const { type, format, enum: allowed, minimum, maximum, maxLength } = schema;
  // Prism treats an empty optional parameter as absent.
  const empty = required ? [""] : [];
  if (type === "integer") {
    const outside = [
      ...(minimum === undefined ? [] : [BigInt(minimum) - 1n]),
      ...(maximum === undefined ? [] : [BigInt(maximum) + 1n]),
    ];
    return [...empty, "abc", "1.5", ...outside.map(String)];
  }
  if (format === "date") return [...empty, "01.03.2026", "2026-02-30"];
  if (allowed !== undefined) return [...empty, "none of them"];
  return maxLength === undefined ? [] : ["x".repeat(maxLength + 1)];
}

function toWrongBodies(schema: SchemaObject, right: Input): WrongInput[] {
  const body = right.body as Values; // every body of the contract is an object
  const toWrong = (fault: string, about: string, wrong: unknown): WrongInput => ({
    fault,
    about,
    input: { ...right, body: wrong },
  });
  const without = (field: string) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
  const wrongTypes = Object.entries(schema.properties ?? {}).map(([field, { type }]) =>
    toWrong(`${field} of another type`, field, { ...body, [field]: type === "integer" ? "5" : 5 }),
  );
  return [
    toWrong("an array as body", "body", []),
    toWrong("a string as body", "body", "text"),
    ...(schema.required ?? []).map((field) => toWrong(`no ${field}`, field, without(field))),
    ...(schema.additionalProperties === false
      ? [toWrong("an unknown field", "colour", { ...body, colour: "blue" })]
      : []),
    ...wrongTypes,
  ];
}

function isRequiredQuery({ in: place, required }: ParameterObject): boolean {
  return place === "query" && required;
}

function set(input: Input, { name, in: place }: ParameterObject, value: unknown): Input {
  const values: Values = input[place as "path" | "query" | "header"]; // the contract has no cookies
  return { ...input, [place]: { ...values, [name]: value } };
}
