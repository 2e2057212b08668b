// After the API of a container cluster: names of the client's choice below metadata, kinds and versions in each object, any body type.
import { type Asked, type Reply } from "../styles.ts";
import {
  createStore,
  type Foreign,
  isObject,
  notAllowed,
  signedIn,
  type Thing,
} from "./service.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const string = { type: "string" };
const strings = { type: "object", additionalProperties: string };
const said = (schema: Thing) => ({
  "application/json": { schema },
  "application/yaml": { schema },
});
const ok = (name: string, description = "OK") => ({ description, content: said(ref(name)) });
const unauthorized = { 401: { description: "Unauthorized" } };
const inPath = (name: string, description: string) => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { ...string, uniqueItems: true },
});
const inQuery = (name: string, schema: Thing) => ({
  name,
  in: "query",
  schema: { ...schema, uniqueItems: true },
});
const body = { required: true, content: { "*/*": { schema: ref("ConfigMap") } } };
const patch = {
  required: true,
  content: Object.fromEntries(
    [
      "application/json-patch+json",
      "application/merge-patch+json",
      "application/strategic-merge-patch+json",
    ].map((type) => [type, { schema: ref("Patch") }]),
  ),
};
const page = [inQuery("limit", { type: "integer" }), inQuery("continue", string)];

const paths = {
  "/api/v1/namespaces": {
    get: {
      operationId: "listNamespace",
      parameters: page,
      responses: { 200: ok("NamespaceList"), ...unauthorized },
    },
    post: {
      operationId: "createNamespace",
      requestBody: { required: true, content: { "*/*": { schema: ref("Namespace") } } },
      responses: {
        200: ok("Namespace"),
        201: ok("Namespace", "Created"),
        202: ok("Namespace", "Accepted"),
        ...unauthorized,
      },
    },
  },
  "/api/v1/namespaces/{name}": {
    parameters: [inPath("name", "name of the Namespace")],
    get: { operationId: "readNamespace", responses: { 200: ok("Namespace"), ...unauthorized } },
    delete: {
      operationId: "deleteNamespace",
      responses: { 200: ok("Status"), 202: ok("Status", "Accepted"), ...unauthorized },
    },
  },
  "/api/v1/namespaces/{namespace}/configmaps": {
    parameters: [
      inPath("namespace", "object name and auth scope, such as for teams and projects"),
      inQuery("pretty", string),
    ],
    get: {
      operationId: "listNamespacedConfigMap",
      parameters: page,
      responses: { 200: ok("ConfigMapList"), ...unauthorized },
    },
    post: {
      operationId: "createNamespacedConfigMap",
      parameters: [inQuery("dryRun", string)],
      requestBody: body,
      responses: {
        200: ok("ConfigMap"),
        201: ok("ConfigMap", "Created"),
        202: ok("ConfigMap", "Accepted"),
        ...unauthorized,
      },
    },
  },
  "/api/v1/namespaces/{namespace}/configmaps/{name}": {
    parameters: [
      inPath("name", "name of the ConfigMap"),
      inPath("namespace", "object name and auth scope, such as for teams and projects"),
    ],
    get: {
      operationId: "readNamespacedConfigMap",
      responses: { 200: ok("ConfigMap"), ...unauthorized },
    },
    put: {
      operationId: "replaceNamespacedConfigMap",
      requestBody: body,
      responses: { 200: ok("ConfigMap"), 201: ok("ConfigMap", "Created"), ...unauthorized },
    },
    patch: {
      operationId: "patchNamespacedConfigMap",
      requestBody: patch,
      responses: { 200: ok("ConfigMap"), 201: ok("ConfigMap", "Created"), ...unauthorized },
    },
    delete: {
      operationId: "deleteNamespacedConfigMap",
      responses: { 200: ok("Status"), 202: ok("Status", "Accepted"), ...unauthorized },
    },
  },
};

const TYPED = { apiVersion: string, kind: string };
const meta = (name: string) => ({ ...TYPED, metadata: { allOf: [ref(name)], default: {} } });
const schemas = {
  ConfigMap: {
    type: "object",
    properties: {
      ...meta("ObjectMeta"),
      data: strings,
      binaryData: { type: "object", additionalProperties: { ...string, format: "byte" } },
      immutable: { type: "boolean" },
    },
  },
  ConfigMapList: {
    type: "object",
    required: ["items"],
    properties: {
      ...meta("ListMeta"),
      items: { type: "array", items: { allOf: [ref("ConfigMap")], default: {} } },
    },
  },
  Namespace: {
    type: "object",
    properties: {
      ...meta("ObjectMeta"),
      spec: { type: "object", properties: { finalizers: { type: "array", items: string } } },
      status: { type: "object", properties: { phase: string } },
    },
  },
  NamespaceList: {
    type: "object",
    required: ["items"],
    properties: {
      ...meta("ListMeta"),
      items: { type: "array", items: { allOf: [ref("Namespace")], default: {} } },
    },
  },
  ListMeta: {
    type: "object",
    properties: {
      continue: string,
      remainingItemCount: { type: "integer", format: "int64" },
      resourceVersion: string,
      selfLink: string,
    },
  },
  ObjectMeta: {
    type: "object",
    properties: {
      annotations: strings,
      creationTimestamp: {
        allOf: [ref("Time")],
        description: "Populated by the system. Read-only. Null for lists.",
      },
      deletionTimestamp: {
        allOf: [ref("Time")],
        description: "Populated by the system when a graceful deletion is requested. Read-only.",
      },
      finalizers: { type: "array", items: { ...string, default: "" } },
      generateName: string,
      generation: {
        type: "integer",
        format: "int64",
        description: "Populated by the system. Read-only.",
      },
      labels: strings,
      name: {
        ...string,
        description: "Name must be unique within a namespace. Cannot be updated.",
      },
      namespace: { ...string, description: "Must be a DNS_LABEL. Cannot be updated." },
      ownerReferences: { type: "array", items: { allOf: [ref("OwnerReference")], default: {} } },
      resourceVersion: {
        ...string,
        description: "Populated by the system. Read-only. Clients must treat it as opaque.",
      },
      selfLink: string,
      uid: { ...string, description: "Populated by the system. Read-only." },
    },
  },
  OwnerReference: {
    type: "object",
    required: ["apiVersion", "kind", "name", "uid"],
    properties: { ...TYPED, name: string, uid: string, controller: { type: "boolean" } },
  },
  Patch: {
    type: "object",
    description: "Patch is provided to give a concrete name and type to the patch body.",
  },
  Status: {
    type: "object",
    properties: {
      ...meta("ListMeta"),
      code: { type: "integer", format: "int32" },
      message: string,
      reason: string,
      status: string,
      details: { type: "object", properties: { name: string, kind: string, uid: string } },
    },
  },
  Time: { type: "string", format: "date-time" },
};

const status = (code: number, reason: string): Reply => ({
  status: code,
  body: {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: code < 300 ? "Success" : "Failure",
    reason,
    code,
  },
});
const isTexts = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (isObject(value) && Object.values(value).every((one) => typeof one === "string"));
const isBytes = (value: unknown) =>
  isTexts(value) &&
  Object.values(isObject(value) ? value : {}).every((one) =>
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(String(one)),
  );
const metaOf = (thing: unknown): Thing =>
  isObject(thing) && isObject(thing["metadata"]) ? thing["metadata"] : {};

function findFault(
  thing: unknown,
  namespace: string | undefined,
  kind = "ConfigMap",
): Reply | undefined {
  if (!isObject(thing)) return status(400, "BadRequest");
  const {
    apiVersion = "v1",
    kind: sort = kind,
    metadata = {},
    data,
    binaryData,
    immutable,
  } = thing;
  if (apiVersion !== "v1" || sort !== kind || !isObject(metadata)) return status(400, "BadRequest");
  const {
    labels,
    annotations,
    name,
    namespace: told = namespace,
    uid = "",
    finalizers = [],
    ownerReferences = [],
    generateName = "",
    generation = 0,
    selfLink = "",
  } = metadata;
  const isOfTypes =
    [name ?? "", told ?? "", uid, generateName, selfLink].every((one) => typeof one === "string") &&
    isTexts(labels) &&
    isTexts(annotations) &&
    isTexts(data) &&
    isBytes(binaryData) &&
    Number.isInteger(generation) &&
    [undefined, null, true, false].includes(immutable as boolean);
  if (!isOfTypes || !Array.isArray(finalizers) || !Array.isArray(ownerReferences))
    return status(400, "BadRequest");
  const times = ["creationTimestamp", "deletionTimestamp"].map((one) => metadata[one] ?? null);
  if (
    times.some((one) => one !== null && (typeof one !== "string" || Number.isNaN(Date.parse(one))))
  )
    return status(400, "BadRequest");
  if (told !== namespace) return status(400, "BadRequest");
  const isName = typeof name === "string" && /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/.test(name);
  const isLabel = Object.entries(isObject(labels) ? labels : {}).every(([, one]) =>
    /^(?:[A-Za-z0-9][-\w.]{0,61}[A-Za-z0-9]|[A-Za-z0-9]?)$/.test(String(one)),
  );
  const isFinal = finalizers.every((one) => typeof one === "string" && one.includes("/"));
  const isOwned = ownerReferences.every(
    (one) => isObject(one) && String(one["apiVersion"]).includes("/"),
  );
  return isName && isLabel && isFinal && isOwned ? undefined : status(422, "Invalid");
}

/** Of metadata only this is kept as it was sent. */
const keepMeta = ({ name, labels, annotations }: Thing): Thing => ({
  name,
  ...(isObject(labels) && { labels }),
  ...(isObject(annotations) && { annotations }),
});
const toKept = (thing: Thing): Thing => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  ...Object.fromEntries(
    ["data", "binaryData", "immutable"].flatMap((name) =>
      thing[name] === undefined || thing[name] === null ? [] : [[name, thing[name]]],
    ),
  ),
});

const merge = (was: unknown, change: unknown): unknown =>
  isObject(change)
    ? Object.fromEntries(
        Object.entries({ ...(isObject(was) ? was : {}), ...change })
          .filter(([, one]) => one !== null)
          .map(([name, one]) => [
            name,
            Object.hasOwn(change, name) ? merge(isObject(was) ? was[name] : undefined, one) : one,
          ]),
      )
    : change;

export const cluster: Foreign = {
  paths,
  more: {
    openapi: "3.0.0",
    components: { schemas, securitySchemes: { main: { type: "http", scheme: "bearer" } } },
  },
  lives: ["createNamespace", "createNamespacedConfigMap"],
  rules: [
    {
      lifecycle: {
        of: "createNamespace",
        read: "readNamespace",
        delete: "deleteNamespace",
        list: "listNamespace",
      },
    },
    {
      lifecycle: {
        of: "createNamespacedConfigMap",
        read: "readNamespacedConfigMap",
        update: "replaceNamespacedConfigMap",
        delete: "deleteNamespacedConfigMap",
        list: "listNamespacedConfigMap",
      },
    },
    { sameAs: { of: "readNamespacedConfigMap", as: "listNamespacedConfigMap" } },
  ],
  thing: {
    path: /^api\/v1\/namespaces\/[^/]+\/configmaps\/[^/]+$/,
    field: "name",
    inner: ["metadata"],
  },
  open: (habits = {}) => {
    let version = 100;
    const toThing = (namespace: string, thing: Thing): Thing => ({
      id: `${namespace}/${String(metaOf(thing)["name"])}`,
      ...toKept(thing),
      metadata: {
        ...keepMeta(metaOf(thing)),
        namespace,
        uid: `uid-${(version += 1)}`,
        resourceVersion: String(version),
        creationTimestamp: "2026-01-02T03:04:05Z",
      },
    });
    const toSpace = (name: string): Thing => ({
      id: name,
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name,
        uid: `ns-${name}`,
        resourceVersion: "1",
        creationTimestamp: "2026-01-01T00:00:00Z",
      },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
    const spaces = createStore("namespaces", ["default", "kube-system"].map(toSpace), habits);
    const seeds = Array.from({ length: 3 + (habits.more ?? 0) }, (_, index) =>
      toThing(index === 0 ? "kube-system" : "default", {
        metadata: { name: `seed-${index}` },
        data: { key: `value ${index}` },
      }),
    );
    const maps = createStore("configmaps", seeds, { ...habits, ignored: "data" });
    const show = ({ id: _id, ...thing }: Thing): Thing => thing;
    const list = (sort: string, all: readonly Thing[], query: URLSearchParams): Reply => {
      const limit = Number(query.get("limit") ?? 500);
      const from = Number(query.get("continue") || 0);
      if (!Number.isInteger(limit) || limit < 0 || !Number.isInteger(from))
        return status(400, "BadRequest");
      const end = limit === 0 ? all.length : from + limit;
      const metadata = {
        resourceVersion: String(version),
        ...(end < all.length && { continue: String(end), remainingItemCount: all.length - end }),
      };
      const items = all.slice(from, end).map(show);
      return { status: 200, body: { kind: `${sort}List`, apiVersion: "v1", metadata, items } };
    };
    const change = (id: string, namespace: string, thing: unknown): Reply => {
      const was = maps.get(id) ?? {};
      const fault = findFault(thing, namespace);
      if (fault !== undefined || !isObject(thing)) return fault ?? status(400, "BadRequest");
      const { resourceVersion, uid, name } = metaOf(thing);
      if (`${namespace}/${String(name)}` !== id) return status(400, "BadRequest");
      if (
        resourceVersion !== undefined &&
        resourceVersion !== "" &&
        resourceVersion !== metaOf(was)["resourceVersion"]
      )
        return status(409, "Conflict");
      if (uid !== undefined && uid !== "" && uid !== metaOf(was)["uid"])
        return status(409, "Conflict");
      if (
        was["immutable"] === true &&
        (thing["immutable"] !== true ||
          JSON.stringify(thing["data"]) !== JSON.stringify(was["data"]))
      )
        return status(422, "Invalid");
      const kept = {
        id,
        ...toKept(thing),
        metadata: {
          ...metaOf(was),
          labels: undefined,
          annotations: undefined,
          ...keepMeta(metaOf(thing)),
          resourceVersion: String((version += 1)),
        },
      };
      return {
        status: 200,
        body: show(maps.replace(id, JSON.parse(JSON.stringify(kept)) as Thing)),
      };
    };
    const reply = ({ steps, method, body: came, headers, query }: Asked): Reply => {
      const [, , , namespace, sort, name] = steps;
      if (steps.slice(0, 3).join("/") !== "api/v1/namespaces" || steps.length > 6)
        return status(404, "NotFound");
      const type = headers.get("content-type") ?? "";
      const isPatch =
        method === "PATCH"
          ? /^application\/(?:strategic-)?merge-patch\+json/i.test(type)
          : /^application\/json/i.test(type);
      if (["POST", "PUT", "PATCH"].includes(method) && !isPatch)
        return status(415, "UnsupportedMediaType");
      const space = spaces.get(namespace);
      if (namespace === undefined) {
        if (method === "GET") return list("Namespace", spaces.list(), query);
        if (method !== "POST") return notAllowed("GET", "POST");
        const fault = findFault(came, undefined, "Namespace");
        if (fault !== undefined) return fault;
        const id = String(metaOf(came)["name"]);
        if (spaces.get(id) !== undefined) return status(409, "AlreadyExists");
        return { status: 201, body: show(spaces.add(toSpace(id))) };
      }
      if (sort === undefined) {
        if (method !== "GET" && method !== "DELETE") return notAllowed("GET", "DELETE");
        if (space === undefined) return status(404, "NotFound");
        if (method === "GET") return { status: 200, body: show(space) };
        spaces.remove(namespace);
        return status(200, "Success");
      }
      if (sort !== "configmaps") return status(404, "NotFound");
      if (name === undefined) {
        if (method === "GET")
          return list(
            "ConfigMap",
            maps.list().filter((one) => metaOf(one)["namespace"] === namespace),
            query,
          );
        if (method !== "POST") return notAllowed("GET", "POST");
        if (!space) return status(404, "NotFound");
        const fault = findFault(came, namespace);
        if (fault !== undefined || !isObject(came)) return fault ?? status(400, "BadRequest");
        if (![undefined, ""].includes(metaOf(came)["resourceVersion"] as string))
          return status(400, "BadRequest");
        if (maps.get(`${namespace}/${String(metaOf(came)["name"])}`))
          return status(409, "AlreadyExists");
        return { status: 201, body: show(maps.add(toThing(namespace, came))) };
      }
      const id = `${namespace}/${name}`;
      const was = maps.get(id);
      if (!["GET", "PUT", "PATCH", "DELETE"].includes(method))
        return notAllowed("GET", "PUT", "PATCH", "DELETE");
      if (was === undefined) return status(404, "NotFound");
      if (method === "GET") return { status: 200, body: show(was) };
      if (method === "PUT") return change(id, namespace, came);
      if (method === "PATCH")
        return isObject(came)
          ? change(id, namespace, merge({ ...show(was), metadata: { ...metaOf(was) } }, came))
          : status(400, "BadRequest");
      maps.remove(id);
      return status(200, "Success");
    };
    return {
      reply: signedIn(reply, status(401, "Unauthorized").body),
      touched: () => [...maps.touched, ...spaces.touched],
      rest: () => [...maps.keys(), ...spaces.keys()],
    };
  },
};
