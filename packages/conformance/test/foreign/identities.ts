// After SCIM, by which directories tell services of their users: a media type of its own, an index that counts from 1, filters as
// expressions, changes as operations.
import { type Asked, type Reply } from "../styles.ts";
import {
  createStore,
  type Foreign,
  isObject,
  notAllowed,
  signedIn,
  type Thing,
} from "./service.ts";

const MEDIA = "application/scim+json";
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: Thing) => ({ content: { [MEDIA]: { schema } } });
const ok = (schema: Thing, description = "OK") => ({ description, ...content(schema) });
const failed = Object.fromEntries(
  ["400", "401", "404", "409", "415"].map((status) => [status, ok(ref("Error"), "Error")]),
);
const text = { type: "string" };
const inQuery = (name: string, schema: Thing) => ({ name, in: "query", schema });
const taking = (name: string) => ({ requestBody: { required: true, ...content(ref(name)) } });

const paths = {
  "/Users": {
    get: {
      operationId: "searchUsers",
      parameters: [
        inQuery("filter", text),
        inQuery("startIndex", { type: "integer", minimum: 1, default: 1 }),
        inQuery("count", { type: "integer", minimum: 1, maximum: 100, default: 100 }),
      ],
      responses: { 200: ok(ref("Users")), ...failed },
    },
    post: {
      operationId: "createUser",
      ...taking("User"),
      responses: { 201: ok(ref("User")), ...failed },
    },
  },
  "/Users/{id}": {
    parameters: [{ name: "id", in: "path", required: true, schema: text }],
    get: { operationId: "getUser", responses: { 200: ok(ref("User")), ...failed } },
    put: {
      operationId: "replaceUser",
      ...taking("User"),
      responses: { 200: ok(ref("User")), ...failed },
    },
    patch: {
      operationId: "patchUser",
      ...taking("Patch"),
      responses: { 200: ok(ref("User")), ...failed },
    },
    delete: { operationId: "deleteUser", responses: { 204: { description: "Gone" }, ...failed } },
  },
};

const uris = (...all: readonly string[]) => ({ type: "array", items: { ...text, enum: all } });
const schemas = {
  User: {
    type: "object",
    required: ["schemas", "userName"],
    properties: {
      schemas: uris(USER),
      id: { ...text, readOnly: true },
      userName: text,
      displayName: text,
      active: { type: "boolean" },
      name: { type: "object", properties: { givenName: text, familyName: text } },
      emails: {
        type: "array",
        items: {
          type: "object",
          properties: { value: { ...text, format: "email" }, primary: { type: "boolean" } },
        },
      },
      meta: {
        type: "object",
        readOnly: true,
        properties: { resourceType: text, location: text, version: text },
      },
    },
  },
  Users: {
    type: "object",
    required: ["schemas", "totalResults", "Resources"],
    properties: {
      schemas: uris(LIST),
      totalResults: { type: "integer" },
      startIndex: { type: "integer" },
      itemsPerPage: { type: "integer" },
      Resources: { type: "array", items: ref("User") },
    },
  },
  Patch: {
    type: "object",
    required: ["schemas", "Operations"],
    properties: {
      schemas: uris(PATCH),
      Operations: {
        type: "array",
        items: {
          type: "object",
          required: ["op"],
          properties: {
            op: { ...text, enum: ["add", "replace", "remove"] },
            path: text,
            value: {},
          },
        },
      },
    },
  },
  Error: {
    type: "object",
    required: ["schemas", "status"],
    properties: { schemas: uris(ERROR), status: text, detail: text, scimType: text },
  },
};

const fail = (status: number, detail: string): Reply => ({
  status,
  body: { schemas: [ERROR], status: String(status), detail },
});

/** The fields that clients write; a body with others, or with values of another type, is none. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  userName: (value) => typeof value === "string" && value !== "",
  displayName: (value) => typeof value === "string",
  active: (value) => typeof value === "boolean",
  name: (value) => isObject(value) && Object.values(value).every((one) => typeof one === "string"),
  emails: (value) =>
    Array.isArray(value) &&
    value.every(
      (one) =>
        isObject(one) &&
        ["string", "undefined"].includes(typeof one["value"]) &&
        ["boolean", "undefined"].includes(typeof one["primary"]),
    ),
};
const isRight = (given: Thing): boolean =>
  Object.entries(given).every(([name, value]) => FIELDS[name]?.(value) ?? name === "schemas");

export const identities: Foreign = {
  paths,
  more: {
    openapi: "3.0.3",
    components: { schemas, securitySchemes: { main: { type: "http", scheme: "bearer" } } },
  },
  rules: [
    {
      page: {
        of: "searchUsers",
        size: "count",
        index: "startIndex",
        unit: "row",
        from: 1,
        echo: "startIndex",
        total: "totalResults",
      },
    },
    { filter: { of: "searchUsers", by: "filter", field: "userName", as: 'userName eq "{}"' } },
    {
      lifecycle: {
        of: "createUser",
        read: "getUser",
        update: "replaceUser",
        delete: "deleteUser",
        list: "searchUsers",
      },
    },
  ],
  lives: ["createUser"],
  mined: ['as: "userName eq \\"{}\\""', "index: startIndex, unit: row, from: 1"],
  thing: { path: /^Users\/[^/]+$/, field: "userName" },
  open: (habits = {}) => {
    const toUser = (id: string, given: Thing) => ({
      ...given,
      schemas: [USER],
      id,
      meta: { resourceType: "User", location: `/Users/${id}` },
    });
    const seeds = Array.from({ length: 12 + (habits.more ?? 0) }, (_, index) =>
      toUser(`2819c223-${1000 + index}`, {
        userName: `ann${index}@example.org`,
        displayName: `Ann ${index}`,
        active: index % 3 > 0,
        name: { givenName: ["Ann", "Bo"][index % 2], familyName: `L${index}` },
        emails: [{ value: `ann${index}@example.org`, primary: true }],
      }),
    );
    const all = createStore("Users", seeds, { ...habits, ignored: "displayName" });
    let born = 7000;

    const search = ({ query }: Asked): Reply => {
      const [start, count] = [query.get("startIndex") ?? "1", query.get("count") ?? "100"];
      if (
        ![start, count].every((one) => /^\d+$/.test(one)) ||
        Number(count) > 100 ||
        count === "0" ||
        start === "0"
      )
        return fail(400, "startIndex and count are numbers");
      const filter = query.get("filter");
      const [, field = "", value] = /^(\w+) eq "([^"]*)"$/.exec(filter ?? "") ?? [];
      if (filter !== null && !(field in FIELDS)) return fail(400, "invalidFilter");
      const found = all.list().filter((one) => filter === null || one[field] === value);
      const rows = found.slice(Number(start) - 1, Number(start) - 1 + Number(count));
      return {
        status: 200,
        body: {
          schemas: [LIST],
          totalResults: found.length,
          startIndex: Number(start),
          itemsPerPage: rows.length,
          Resources: rows,
        },
      };
    };
    const isTaken = (userName: unknown, id?: string): boolean =>
      all.has((one) => one["id"] !== id && one["userName"] === userName);
    const patch = (one: Thing, operations: unknown): Reply => {
      const list = Array.isArray(operations) ? operations.filter(isObject) : [];
      if (list.length === 0) return fail(400, "invalidSyntax");
      const given = list.map(({ op, path, value }) =>
        op === "remove" || typeof path !== "string" ? undefined : { [path]: value },
      );
      const fields = Object.assign({}, ...given) as Thing;
      if (given.includes(undefined) || !isRight(fields)) return fail(400, "invalidPath");
      return { status: 200, body: all.change(String(one["id"]), fields) };
    };

    const reply = (asked: Asked): Reply => {
      const { method, steps, body, headers } = asked;
      const [, id] = steps;
      const methods = id === undefined ? ["GET", "POST"] : ["GET", "PUT", "PATCH", "DELETE"];
      if (steps[0] !== "Users" || steps.length > 2) return fail(404, "no such resource");
      if (!methods.includes(method)) return notAllowed(...methods);
      const one = all.get(id);
      if (id !== undefined && one === undefined) return fail(404, `User ${id} not found`);
      if (method === "GET") return one === undefined ? search(asked) : { status: 200, body: one };
      if (method === "DELETE" && id !== undefined) {
        all.remove(id);
        return { status: 204 };
      }
      if (!/^application\/(?:scim\+)?json/i.test(headers.get("content-type") ?? ""))
        return fail(415, "send application/scim+json");
      const told: unknown = isObject(body) ? [body["schemas"]].flat()[0] : undefined;
      if (!isObject(body) || told !== (method === "PATCH" ? PATCH : USER))
        return fail(400, "invalidSyntax");
      if (method === "PATCH") return patch(one ?? {}, body["Operations"]);
      const { id: _id, meta: _meta, ...given } = body;
      if (given["userName"] === undefined || !isRight(given)) return fail(400, "invalidValue");
      if (isTaken(given["userName"], id)) return fail(409, "uniqueness");
      return one === undefined || id === undefined
        ? { status: 201, body: { ...given, ...all.add(toUser(`2819c223-${(born += 1)}`, given)) } }
        : { status: 200, body: all.replace(id, toUser(id, given)) };
    };
    const asScim = (came: Reply): Reply => ({
      ...came,
      headers: { "content-type": MEDIA, ...came.headers },
    });
    const signed = signedIn(reply, fail(401, "no credentials").body);
    return {
      reply: (asked) => asScim(signed(asked)),
      touched: () => all.touched,
      rest: all.keys,
    };
  },
};
