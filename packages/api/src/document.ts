// The bundled OpenAPI document and the shapes programs read it by.
import bundled from "../generated/openapi.json" with { type: "json" };

/** A JSON Schema (2020-12) of the document; a `$ref` points into the same document. */
export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly additionalProperties?: boolean;
  /** The query parameter without which the body must have a field (D11). */
  readonly "x-empty-with"?: string;
  readonly items?: SchemaObject;
  readonly description?: string;
  /** In the rights of a user: the field of a record that has to have one of these values (D21). */
  readonly "x-restricts"?: string;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: SchemaObject;
  readonly example?: unknown;
  /** true on a parameter that the interface does not have (D10, D16, D17). */
  readonly "x-extension"?: boolean;
}

export interface HeaderObject {
  readonly required?: boolean;
  readonly schema: SchemaObject;
  readonly example?: unknown;
  /** Where it differs from answer to answer: by the name of the body's example that it goes with. */
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** One media type of a body. A recording stream has no schema. Each example fits the schema. */
export interface MediaTypeObject {
  readonly schema?: SchemaObject;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
  readonly links?: Readonly<Record<string, LinkObject>>;
}

/** Where an answer leads: the values of the parameters are runtime expressions, such as `$response.body#/data/0/id`. */
export interface LinkObject {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly description: string;
}

interface ReferenceObject {
  readonly $ref: string;
}

/** An operation as the document writes it: parameters and responses are references. */
export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  /** Empty where no credentials are needed; absent where the document's own `security` holds. */
  readonly security?: readonly unknown[];
  readonly parameters?: readonly ReferenceObject[];
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly responses: Readonly<Record<string, ReferenceObject>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaObject>> };
}

/** The contract in one document, OpenAPI 3.1; the same as `@call-media/api/openapi.json`. */
export const document: OpenApiDocument = bundled;
