// After the API of a service for customers: a map of properties that the service knows by name, unique addresses, a cursor within `paging`.
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
const ok = (schema: Thing, description = "successful operation") => ({
  description,
  content: { "application/json": { schema } },
});
const text = { type: "string" };
const failed = { default: ok(ref("Failure"), "An error occurred.") };
const inPath = { name: "contactId", in: "path", required: true, schema: text };
const security = [{ oauth2: ["contacts"] }];
const taking = (name: string) => ({
  requestBody: { required: true, content: { "application/json": { schema: ref(name) } } },
});

const paths = {
  "/crm/contacts": {
    get: {
      operationId: "get-/crm/contacts_getPage",
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", format: "int32", default: 10 } },
        { name: "after", in: "query", schema: text },
      ],
      responses: { 200: ok(ref("Contacts")), ...failed },
      security,
    },
    post: {
      operationId: "post-/crm/contacts_create",
      ...taking("NewContact"),
      responses: { 201: ok(ref("Contact")), ...failed },
      security,
    },
  },
  "/crm/contacts/{contactId}": {
    parameters: [inPath],
    get: {
      operationId: "get-/crm/contacts/{contactId}_getById",
      responses: { 200: ok(ref("Contact")), ...failed },
      security,
    },
    patch: {
      operationId: "patch-/crm/contacts/{contactId}_update",
      ...taking("ContactChange"),
      responses: { 200: ok(ref("Contact")), ...failed },
      security,
    },
    delete: {
      operationId: "delete-/crm/contacts/{contactId}_archive",
      responses: { 204: { description: "No content" }, ...failed },
      security,
    },
  },
};

const map = { type: "object", additionalProperties: text };
const moment = { ...text, format: "date-time" };
const schemas = {
  Contact: {
    type: "object",
    required: ["archived", "createdAt", "id", "properties", "updatedAt"],
    properties: {
      id: text,
      properties: map,
      createdAt: moment,
      updatedAt: moment,
      archived: { type: "boolean" },
    },
  },
  Contacts: {
    type: "object",
    required: ["results"],
    properties: {
      results: { type: "array", items: ref("Contact") },
      paging: {
        type: "object",
        properties: {
          next: { type: "object", required: ["after"], properties: { after: text, link: text } },
        },
      },
    },
  },
  NewContact: {
    type: "object",
    required: ["associations", "properties"],
    properties: {
      properties: map,
      associations: {
        type: "array",
        items: {
          type: "object",
          required: ["to"],
          properties: { to: { type: "object", required: ["id"], properties: { id: text } } },
        },
      },
    },
  },
  // Examples of documents show names that no account has.
  ContactChange: {
    type: "object",
    required: ["properties"],
    properties: { properties: map },
    example: { properties: { property_string: "value" } },
  },
  Failure: {
    type: "object",
    required: ["message", "category"],
    properties: { message: text, category: text },
  },
};

const NAMES = new Set(["email", "firstname", "lastname", "createdate", "hs_object_id"]);
const START = Date.parse("2024-03-01T08:00:00Z");
const toMoment = (index: number) => new Date(START + index * 3_600_000).toISOString();

const toContact = (id: string, given: Thing, at: string) => ({
  id,
  properties: { ...given, createdate: at, hs_object_id: id },
  createdAt: at,
  updatedAt: at,
  archived: false,
});

const fail = (status: number, message: string): Reply => ({
  status,
  body: { message, category: status === 409 ? "CONFLICT" : "VALIDATION_ERROR" },
});
const MISSING = fail(404, "resource not found");

/** What is wrong with the properties of a body. */
function findFault(body: unknown): Reply | undefined {
  const given = isObject(body) ? body["properties"] : undefined;
  if (!isObject(given)) return fail(400, "Some required fields were not set: [properties]");
  const wrong = Object.entries(given).find(
    ([name, value]) => !NAMES.has(name) || typeof value !== "string",
  );
  if (wrong !== undefined) return fail(400, `Property "${wrong[0]}" does not exist`);
  // No schema says so.
  const { email } = given;
  const isMail = typeof email !== "string" || /^[^@\s]+@[^@\s]+\.[a-z]+$/.test(email);
  return isMail ? undefined : fail(400, "email is not valid");
}

export const contacts: Foreign = {
  paths,
  more: {
    openapi: "3.0.1",
    components: {
      schemas,
      securitySchemes: {
        hapikey: { type: "apiKey", name: "hapikey", in: "query" },
        oauth2: { type: "http", scheme: "bearer" },
      },
    },
  },
  rules: [
    {
      page: {
        of: "get-/crm/contacts_getPage",
        size: "limit",
        cursor: "after",
        next: "paging/next/after",
      },
    },
    {
      lifecycle: {
        of: "post-/crm/contacts_create",
        read: "get-/crm/contacts/{contactId}_getById",
        update: "patch-/crm/contacts/{contactId}_update",
        delete: "delete-/crm/contacts/{contactId}_archive",
        list: "get-/crm/contacts_getPage",
      },
    },
  ],
  lives: ["post-/crm/contacts_create"],
  thing: { path: /^crm\/contacts\/\d+$/, field: "createdAt" },
  open: (habits = {}) => {
    const seeds = Array.from({ length: 13 + (habits.more ?? 0) }, (_, index) => {
      const given = {
        email: `p${index}@example.org`,
        firstname: ["Ann", "Bo", "Cy"][index % 3],
        lastname: `L${index}`,
      };
      return toContact(String(500 + index * 7), given, toMoment(index));
    });
    const all = createStore("contacts", seeds, { ...habits, ignored: "properties" });
    let born = 9000;
    const isTaken = ({ email }: Thing, id?: string): boolean =>
      email !== undefined &&
      all.has((one) => one["id"] !== id && Object(one["properties"])["email"] === email);

    const list = ({ query }: Asked): Reply => {
      const limit = query.get("limit") ?? "10";
      const after = query.get("after") ?? "0";
      if (![limit, after].every((one) => /^\d+$/.test(one)) || Number(limit) === 0)
        return fail(400, "limit and after are numbers");
      const rows = all.list().filter(({ id }) => Number(id) > Number(after));
      const results = rows.slice(0, Number(limit));
      const next = { after: String(results.at(-1)?.["id"]), link: "?after=" };
      return {
        status: 200,
        body: { results, ...(rows.length > results.length && { paging: { next } }) },
      };
    };
    const create = (given: Thing): Reply => {
      if (isTaken(given)) return fail(409, "Contact already exists");
      const made = toContact(String((born += 7)), given, new Date().toISOString());
      return { status: 201, body: { properties: {}, ...all.add(made) } };
    };
    const change = (one: Thing, given: Thing): Reply => {
      const id = String(one["id"]);
      if (isTaken(given, id)) return fail(409, "Contact already exists");
      const properties = { ...Object(one["properties"]), ...given };
      return {
        status: 200,
        body: all.change(id, { properties, updatedAt: new Date().toISOString() }),
      };
    };

    const reply = (asked: Asked): Reply => {
      const { method, steps, body, headers } = asked;
      const [, , id] = steps;
      if (steps.slice(0, 2).join("/") !== "crm/contacts" || steps.length > 3) return MISSING;
      const methods = id === undefined ? ["GET", "POST"] : ["GET", "PATCH", "DELETE"];
      if (!methods.includes(method)) return notAllowed(...methods);
      const one = all.get(id);
      if (id !== undefined && one === undefined) return MISSING;
      if (method === "GET") return one === undefined ? list(asked) : { status: 200, body: one };
      if (method === "DELETE" && id !== undefined) {
        all.remove(id);
        return { status: 204 };
      }
      if (!/^application\/json/i.test(headers.get("content-type") ?? ""))
        return fail(415, "Unsupported media type");
      const fault = findFault(body);
      if (fault !== undefined) return fault;
      const { properties, associations = [] } = Object(body) as Thing;
      if (!Array.isArray(associations) || associations.length > 0)
        return fail(400, "No object with this id");
      const given = Object(properties) as Thing;
      return one === undefined ? create(given) : change(one, given);
    };
    return {
      reply: signedIn(reply, { message: "No credentials.", category: "INVALID_AUTHENTICATION" }),
      touched: () => all.touched,
      rest: all.keys,
    };
  },
};
