// Checks the responses of a service against an OpenAPI 3.1 document: status, media type, headers, body.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parse } from "yaml";
import type { Received } from "./play.ts";
import { matchRoute } from "./service.ts";

interface Node {
  readonly $ref?: string;
  readonly operationId?: string;
  readonly required?: boolean;
  readonly schema?: { readonly type?: string };
  readonly [key: string]: unknown;
}

export interface DocumentCheck {
  readonly operationIds: readonly string[];
  /** `operationId` is undefined if the request belongs to no operation; HEAD belongs to GET. */
  readonly check: (received: Received) => {
    readonly operationId: string | undefined;
    readonly faults: readonly string[];
  };
}

/** @param text the document as YAML or JSON */
export function createDocumentCheck(text: string): DocumentCheck {
  const document = parse(text) as Node; // the caller gives an OpenAPI document
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addFormat("binary", true).addFormat("float", true);
  ajv.addSchema(document, "document");
  const compiled = new Map<string, ValidateFunction>();

  /** Follows a path of keys and the references on the way. */
  const at = (
    pointer: readonly string[],
  ): { node: Node | undefined; pointer: readonly string[] } => {
    let node: Node | undefined = document;
    let real: readonly string[] = [];
    for (const key of [...pointer, ""]) {
      if (node?.$ref !== undefined)
        ({ node, pointer: real } = at(
          node.$ref
            .split("/")
            .slice(1)
            .map((part) => part.replaceAll("~1", "/")),
        ));
      if (key === "") break;
      node = node?.[key] as Node | undefined; // a document is made of maps where it is looked at
      real = [...real, key];
    }
    return { node, pointer: real };
  };
  const judge = (pointer: readonly string[], value: unknown, what: string): string[] => {
    const path = pointer.map((key) =>
      encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1")),
    );
    const $ref = `document#/${path.join("/")}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => `${what}${error.instancePath} ${error.message}`);
  };
  const checkHeaders = (pointer: readonly string[], { headers }: Received): string[] =>
    Object.keys(at([...pointer, "headers"]).node ?? {}).flatMap((name) => {
      const { node, pointer: own } = at([...pointer, "headers", name]);
      const value = headers[name.toLowerCase()];
      if (value === undefined) return node?.required === true ? [`header ${name} is missing`] : [];
      const type = at([...own, "schema"]).node?.type;
      return judge(
        [...own, "schema"],
        type === "integer" ? Number(value) : value,
        `header ${name}`,
      );
    });
  const checkBody = (pointer: readonly string[], { headers, body, method }: Received): string[] => {
    const { node: content } = at([...pointer, "content"]);
    if (content === undefined || method === "HEAD") return body.length > 0 ? ["a body"] : [];
    const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
    if (content[type] === undefined) return [`media type ${type} is not documented`];
    const value: unknown = type.endsWith("json")
      ? JSON.parse(body.toString())
      : body.toString("latin1");
    return judge([...pointer, "content", type, "schema"], value, "body");
  };

  const routes = Object.entries(document["paths"] as Node).flatMap(([path, item]) =>
    Object.entries(item as Node)
      .filter(
        ([, operation]) =>
          typeof operation === "object" && operation !== null && "responses" in operation,
      )
      .map(([method, operation]) => ({ path, method, id: (operation as Node).operationId ?? "" })),
  );
  return {
    operationIds: routes.map(({ id }) => id),
    check: (received) => {
      const asked = received.method === "HEAD" ? "GET" : received.method;
      const route = routes.find(({ path, method }) =>
        matchRoute(`${method.toUpperCase()} ${path}`, { method: asked, path: received.path }),
      );
      if (route === undefined) return { operationId: undefined, faults: [] };
      const status = String(received.status);
      const { node, pointer } = at(["paths", route.path, route.method, "responses", status]);
      const faults =
        node === undefined
          ? [`status ${status} is not documented`]
          : [...checkHeaders(pointer, received), ...checkBody(pointer, received)];
      return { operationId: route.id, faults };
    },
  };
}
