// The 15 operations as a table, read from the document with every reference resolved.
import { document } from "./document.ts";
import type {
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from "./document.ts";
import type { OperationId, Schema } from "./operations.ts";
import type { components } from "../generated/schema.ts";

/** One operation of the contract. Nothing in it is a reference. */
export interface Route {
  readonly operationId: OperationId;
  readonly method: "GET" | "POST";
  /** Template as in the contract, for example `/chat/by-call-id/{call_id}`. */
  readonly path: string;
  readonly tag: string;
  /** True if a request needs an access token or API key; false only for POST /Token. */
  readonly needsCredentials: boolean;
  readonly parameters: readonly ParameterObject[];
  /** The JSON body that is taken; undefined where the operation takes none. */
  readonly body: MediaTypeObject | undefined;
  /** Documented answers by status, for example `'200'`. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

interface ResolvedOperation {
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaTypeObject>> };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function lookUp(pointer: string): unknown {
  let found: unknown = document;
  for (const token of pointer.slice("#/".length).split("/")) {
    if (!isRecord(found)) throw new Error(`The document has no ${pointer}`);
    // RFC 6901, section 4: ~1 is a slash and ~0 a tilde.
    found = found[token.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return found;
}

/** Replaces every reference by what it points to; no schema of the contract contains itself. */
function dereference(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dereference);
  if (!isRecord(value)) return value;
  if (typeof value["$ref"] === "string") return dereference(lookUp(value["$ref"]));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, dereference(inner)]));
}

function toRoute(method: string, path: string, operation: OperationObject): Route {
  // Only references were replaced, by components that redocly's lint holds to their kind.
  const resolved = dereference(operation) as ResolvedOperation;
  return {
    // The type is generated from these very ids.
    operationId: operation.operationId as OperationId,
    method: method === "post" ? "POST" : "GET",
    path,
    tag: operation.tags[0] ?? "",
    needsCredentials: operation.security?.length !== 0,
    parameters: resolved.parameters ?? [],
    body: resolved.requestBody?.content["application/json"],
    responses: resolved.responses,
  };
}

/** Every operation of the contract, in the order of the document. */
export const routes: readonly Route[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => toRoute(method, path, operation)),
);

/** Field names of a component schema in the order the service writes them (D27). */
export function fieldsOf<Name extends keyof components["schemas"]>(
  schemaName: Name,
): readonly (keyof Schema<Name> & string)[] {
  const properties = document.components.schemas[schemaName]?.properties ?? {};
  // The type is generated from these very properties.
  return Object.keys(properties) as (keyof Schema<Name> & string)[];
}
