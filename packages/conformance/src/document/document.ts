// An OpenAPI document as the kit reads it: operations with parameters, bodies and responses, and notes on contradictions.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type FilePlace, type OpenApiFile, readOpenApiFile } from "@call-media/contract-diff/files";
import { type Parameter, toOrder, toParameters } from "./parameters.ts";
import { examplesOf, isModern, keysOf, resolveObject, toPointer } from "./resolve.ts";
import { isReadable } from "./usable.ts";
import { createSchemas, listOf, type SchemaFault, type Schemas } from "./schemas.ts";
import { findMove, listServers, type Moved, type Server } from "./servers.ts";

export type { Parameter } from "./parameters.ts";

export interface Media {
  /** Lower case, without parameters. */
  readonly type: string;
  readonly schema: string | undefined;
  readonly examples: readonly unknown[];
}

export interface Body {
  readonly required: boolean;
  readonly media: readonly Media[];
}

export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly schema: string | undefined;
}

export interface Response {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly headers: readonly Header[];
  readonly media: readonly Media[];
  readonly links: readonly JsonObject[];
}

export interface Scheme {
  readonly name: string;
  readonly type: string;
  /** For type `http`: `basic` or `bearer`, in lower case. */
  readonly scheme: string;
  /** For type `apiKey`. */
  readonly in: string;
  readonly key: string;
}

export interface Operation {
  /** `operationId`, or else `GET /path`. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** Set if the operation is served under another path than the rest of the document. */
  readonly moved: Moved | undefined;
  readonly pointer: string;
  /** Its summary and description. */
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly responses: readonly Response[];
  /** Alternatives, each with the names of its schemes. Empty: no authentication. */
  readonly security: readonly (readonly string[])[];
  /** True if it accepts credentials: it must have them, it may have them, or the document does not say a word about them. */
  readonly takesCredentials: boolean;
  readonly extension: unknown;
}

/** A place where the document contradicts itself. The kit accepts there what the document's own example shows. */
export interface Note {
  readonly pointer: string;
  readonly text: string;
}

export interface ApiDocument {
  readonly file: string;
  /** The version of OpenAPI. */
  readonly version: string;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The servers of the root. A relative URL has no host. */
  readonly servers: readonly Server[];
  readonly schemes: ReadonlyMap<string, Scheme>;
  readonly schemas: Schemas;
  readonly notes: readonly Note[];
  /** `x-relations` at the root. */
  readonly extension: unknown;
  readonly placeOf: (pointer: string) => FilePlace;
  /** True for a fault that the document's own examples have at this place. */
  readonly isAdmitted: (schema: string, fault: SchemaFault) => boolean;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/**
 * Loads a document of one or several files, JSON or YAML, OpenAPI 3.0 to 3.2 or Swagger 2.0.
 *
 * @throws FileFault that names the file and the fault.
 */
export async function loadDocument(file: string): Promise<ApiDocument> {
  return parseDocument(await readOpenApiFile(file));
}

/** @throws Error if it is not an OpenAPI 3 document, or if a reference cannot be resolved. */
export function parseDocument(read: OpenApiFile): ApiDocument {
  const { file, document, placeOf } = read;
  const version = String(document["openapi"] ?? document["swagger"]);
  if (!/^3\.[012](\.|$)/.test(version) || document["openapi"] === undefined)
    throw new Error(
      `${file}: openapi must be 3.0.x, 3.1.x or 3.2.x, or swagger 2.0, and is ${version}`,
    );
  const schemas = createSchemas(document);
  const operations = [...listOperations(document, schemas)];
  const { notes, admitted } = checkExamples(operations, schemas);
  return {
    file,
    version,
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    servers: listServers(document["servers"]),
    schemes: listSchemes(document),
    schemas,
    notes: [...(read.isConverted ? [CONVERTED] : []), ...notes, ...listOddities(document)],
    extension: document["x-relations"],
    placeOf,
    isAdmitted: (schema, fault) => admitted.has(`${schema} ${toSpot(fault)}`),
  };
}

const CONVERTED: Note = {
  pointer: "#",
  text: "the document is Swagger 2.0 and is read as OpenAPI 3.0",
};

/** What the kit reads otherwise than it stands there, each with its first place. */
function* listOddities(document: JsonObject): Generator<Note> {
  // Generators of 3.0 write it for "or null", which OpenAPI 3.0 itself does not allow.
  const isLooseNull = (node: JsonObject): boolean =>
    node["nullable"] === true && node["type"] === undefined;
  const loose = isModern(document) ? undefined : findNode(document, isLooseNull);
  if (loose !== undefined)
    yield {
      pointer: loose,
      text: "nullable stands without a type, here first: null is let through",
    };
  const odd = findNode(
    document,
    ({ pattern }) => typeof pattern === "string" && !isReadable(pattern),
  );
  if (odd !== undefined)
    yield { pointer: odd, text: "a pattern cannot be read, here first: any text fits it" };
}

/** The pointer to the first object that is wanted. */
function findNode(
  node: unknown,
  isWanted: (node: JsonObject) => boolean,
  pointer = "#",
): string | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  if (isObject(node) && isWanted(node)) return pointer;
  for (const [name, inner] of Object.entries(node)) {
    const found = findNode(inner, isWanted, toPointer(pointer, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function* listOperations(document: JsonObject, schemas: Schemas): Generator<Operation> {
  for (const path of keysOf(document["paths"])) {
    if (!path.startsWith("/")) continue;
    const item = resolveObject(document, toPointer("#/paths", path));
    const others = keysOf(item.node["additionalOperations"]);
    const places = [
      ...METHODS.filter((method) => isObject(item.node[method])).map(
        (method) => [method, toPointer(item.pointer, method)] as const,
      ),
      ...others.map(
        (method) => [method, toPointer(`${item.pointer}/additionalOperations`, method)] as const,
      ),
    ];
    for (const [method, pointer] of places)
      yield toOperation(document, { path, method, pointer, item, schemas });
  }
}

interface Written {
  readonly path: string;
  readonly method: string;
  readonly pointer: string;
  readonly item: { readonly pointer: string; readonly node: JsonObject };
  readonly schemas: Schemas;
}

function toOperation(document: JsonObject, written: Written): Operation {
  const { path, method, pointer, item, schemas } = written;
  const { node } = resolveObject(document, pointer);
  const { operationId, security = document["security"] } = node;
  const own = toParameters(document, schemas, `${pointer}/parameters`);
  const shared = toParameters(document, schemas, `${item.pointer}/parameters`);
  const isOverridden = (one: Parameter) =>
    own.some(({ name, in: where }) => name === one.name && where === one.in);
  return {
    id: typeof operationId === "string" ? operationId : `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    moved: findMove(document["servers"], node["servers"] ?? item.node["servers"]),
    pointer,
    text: [node["summary"], node["description"]].filter((one) => typeof one === "string").join(" "),
    parameters: toOrder(path, [...shared.filter((one) => !isOverridden(one)), ...own]),
    body:
      node["requestBody"] === undefined ? undefined : toBody(document, `${pointer}/requestBody`),
    responses: keysOf(node["responses"])
      .filter((status) => /^(\d|default)/i.test(status))
      .map((status) => toResponse(document, status, toPointer(`${pointer}/responses`, status))),
    security: toSecurity(security),
    takesCredentials:
      listOf(security).some((names) => keysOf(names).length > 0) || !saysSecurity(document),
    extension: node["x-relations"],
  };
}

/** False for a document that leaves security out: its owner knows who must sign in. */
const saysSecurity = (document: JsonObject): boolean =>
  document["security"] !== undefined ||
  toItemsOf(document["paths"])
    .flatMap(toItemsOf)
    .some((node) => isObject(node) && node["security"] !== undefined);

const toItemsOf = (value: unknown): readonly unknown[] =>
  isObject(value) ? Object.values(value) : [];

/** An alternative without schemes allows anonymous callers. */
function toSecurity(security: unknown): readonly (readonly string[])[] {
  const alternatives = listOf(security).map(keysOf);
  return alternatives.some((names) => names.length === 0) ? [] : alternatives;
}

function toBody(document: JsonObject, pointer: string): Body {
  const { node, pointer: at } = resolveObject(document, pointer);
  return { required: node["required"] === true, media: toMedia(document, at, node["content"]) };
}

function toResponse(document: JsonObject, status: string, pointer: string): Response {
  const { node, pointer: at } = resolveObject(document, pointer);
  const headers = keysOf(node["headers"]).filter((name) => name.toLowerCase() !== "content-type");
  return {
    status,
    headers: headers.map((name) => {
      const header = resolveObject(document, toPointer(`${at}/headers`, name));
      const schema = isObject(header.node["schema"]) ? `${header.pointer}/schema` : undefined;
      return { name, required: header.node["required"] === true, schema };
    }),
    media: toMedia(document, at, node["content"]),
    links: keysOf(node["links"]).map(
      (name) => resolveObject(document, toPointer(`${at}/links`, name)).node,
    ),
  };
}

function toMedia(document: JsonObject, pointer: string, content: unknown): Media[] {
  return keysOf(content).map((type) => {
    const { node, pointer: at } = resolveObject(document, toPointer(`${pointer}/content`, type));
    const schema = node["schema"] === undefined ? undefined : `${at}/schema`;
    return { type: toEssence(type), schema, examples: examplesOf(document, at) };
  });
}

/** A media type without its parameters, in lower case: it is case-insensitive (RFC 9110, 8.3.1). */
export const toEssence = (type: string): string => type.split(";", 1).join("").trim().toLowerCase();

export const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;
export const isJson = (type: string): boolean => JSON_TYPE.test(toEssence(type));

/** True if a documented type may be JSON: older generators write wildcards. */
export const mayBeJson = (type: string): boolean =>
  isJson(type) || ["*/*", "application/*"].includes(toEssence(type));

function listSchemes(document: JsonObject): ReadonlyMap<string, Scheme> {
  const components = isObject(document["components"]) ? document["components"] : {};
  return new Map(
    keysOf(components["securitySchemes"]).map((name) => {
      const { node } = resolveObject(document, toPointer("#/components/securitySchemes", name));
      const { type, scheme = "", in: where = "", name: key = "" } = node;
      return [
        name,
        {
          name,
          type: String(type),
          scheme: String(scheme).toLowerCase(),
          in: String(where),
          key: String(key),
        },
      ];
    }),
  );
}

/** The place of a fault, with the same text for each item of a list. */
const toSpot = ({ instancePath, keyword, params }: SchemaFault): string =>
  `${instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/*")} ${keyword} ${String(params["unevaluatedProperty"] ?? params["format"] ?? "")}`;

/** Deviations from the schema that an example may show: an additional name, or another format. */
const ADMITTED: ReadonlySet<string> = new Set(["unevaluatedProperties", "format"]);

function checkExamples(operations: readonly Operation[], schemas: Schemas) {
  const admitted = new Set<string>();
  const notes = new Map<string, Note>();
  for (const { id, pointer, responses } of operations)
    for (const { status, media } of responses)
      for (const { type, schema, examples } of media) {
        if (schema === undefined || !isJson(type)) continue;
        for (const fault of examples.flatMap((example) =>
          schemas.validatorOf(schema, "closed")(example),
        )) {
          const isAdmitted = ADMITTED.has(fault.keyword);
          if (isAdmitted) admitted.add(`${schema} ${toSpot(fault)}`);
          const end = isAdmitted ? ": admitted" : "";
          const text = `${id} ${status}: an example does not fit its schema at ${toSpot(fault).trim()}${end}`;
          notes.set(text, { pointer: `${pointer}/responses/${status}`, text });
        }
      }
  return { admitted, notes: [...notes.values()] };
}
