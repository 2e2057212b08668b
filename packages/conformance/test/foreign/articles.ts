// After a public document of a publishing service in the format of JSON:API: types and attributes, relationships, a media type of its own.
import { type Asked, type Reply } from "../styles.ts";
import {
  createStore,
  type Foreign,
  isObject,
  notAllowed,
  signedIn,
  type Thing,
} from "./service.ts";

const MEDIA = "application/vnd.api+json";
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: Thing) => ({ content: { [MEDIA]: { schema } } });
const ok = (schema: Thing, description = "OK") => ({ description, ...content(schema) });
const failures = Object.fromEntries(
  ["400", "401", "403", "404", "405", "409", "415", "422"].map((status) => [
    status,
    ok(ref("Failure"), "Error"),
  ]),
);
const document = (name: string) => ({
  type: "object",
  required: ["data"],
  properties: { data: ref(name), links: ref("Links") },
});
const sent = (name: string) => ({
  type: "object",
  required: ["data"],
  properties: { data: ref(name) },
});
const collection = (name: string) => ({
  type: "object",
  required: ["data"],
  properties: {
    data: { type: "array", items: ref(name) },
    links: ref("Links"),
    meta: { type: "object", properties: { total: { type: "integer" } } },
  },
});
const inPath = { name: "id", in: "path", required: true, schema: { type: "string" } };
const paging = [
  {
    name: "page[number]",
    in: "query",
    schema: { type: "integer", minimum: 1, default: 1 },
  },
  {
    name: "page[size]",
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: 50, default: 20 },
  },
];

const toPaths = (word: string, name: string) => ({
  [`/${word}`]: {
    get: {
      operationId: `list${name}s`,
      parameters: paging,
      responses: { 200: ok(collection(name)), ...failures },
    },
    post: {
      operationId: `create${name}`,
      requestBody: { required: true, ...content(sent(`${name}Creation`)) },
      responses: {
        201: {
          ...ok(document(name), "Created"),
          headers: { Location: { required: true, schema: { type: "string" } } },
        },
        ...failures,
      },
    },
  },
  [`/${word}/{id}`]: {
    parameters: [inPath],
    get: { operationId: `get${name}`, responses: { 200: ok(document(name)), ...failures } },
    patch: {
      operationId: `update${name}`,
      requestBody: { required: true, ...content(sent(`${name}Change`)) },
      responses: { 200: ok(document(name)), ...failures },
    },
    delete: {
      operationId: `delete${name}`,
      responses: { 204: { description: "No content" }, ...failures },
    },
  },
});

const type = (word: string) => ({ type: "string", enum: [word] });
const resource = (word: string, attributes: Thing, more: Thing = {}) => ({
  type: "object",
  required: ["type", "id", "attributes"],
  properties: {
    type: type(word),
    id: { type: "string" },
    attributes,
    links: ref("Links"),
    ...more,
  },
});
const creation = (word: string, attributes: Thing, more: Thing = {}) => ({
  type: "object",
  required: ["type", "attributes"],
  properties: { type: type(word), attributes, ...more },
});
const change = (word: string, { required: _required, ...attributes }: Thing, more: Thing = {}) => ({
  type: "object",
  required: ["type", "id"],
  properties: { type: type(word), id: { type: "string" }, attributes, ...more },
});
const person = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 1 },
    email: { type: "string", format: "email" },
  },
};
const article = {
  type: "object",
  required: ["title"],
  properties: {
    title: { type: "string", minLength: 1, maxLength: 120 },
    body: { type: "string" },
    state: { type: "string", enum: ["draft", "published"] },
    tags: { type: "array", items: { type: "string" } },
  },
};
const author = {
  type: "object",
  required: ["author"],
  properties: {
    author: {
      type: "object",
      required: ["data"],
      properties: {
        data: {
          type: "object",
          required: ["type", "id"],
          properties: { type: type("people"), id: { type: "string" } },
        },
      },
    },
  },
};
const schemas = {
  Links: {
    type: "object",
    properties: { self: { type: "string" }, next: { type: ["string", "null"] } },
  },
  Failure: {
    type: "object",
    required: ["errors"],
    properties: {
      errors: {
        type: "array",
        items: {
          type: "object",
          required: ["status", "title"],
          properties: {
            status: { type: "string" },
            title: { type: "string" },
            source: { type: "object", properties: { pointer: { type: "string" } } },
          },
        },
      },
    },
  },
  Person: resource("people", person),
  PersonCreation: creation("people", person),
  PersonChange: change("people", person),
  Article: resource("articles", article, { relationships: author }),
  ArticleCreation: creation("articles", article, { relationships: author }),
  ArticleChange: change("articles", article, { relationships: author }),
};

const fail = (status: number, pointer = ""): Reply => ({
  status,
  body: { errors: [{ status: String(status), title: "Refused", source: { pointer } }] },
  headers: { "content-type": MEDIA },
});
const isText = (value: unknown) => value === undefined || typeof value === "string";
const fieldsOf = (value: unknown): Thing => (isObject(value) ? value : {});

/** Where the attributes are wrong. */
function findFault(word: string, attributes: Thing): string | undefined {
  const { name, email, title, body, state, tags } = attributes;
  if (word === "people") {
    if (name !== undefined && (typeof name !== "string" || name === "")) return "name";
    const isMail = email === undefined || (typeof email === "string" && /^\S+@\S+$/.test(email));
    return isMail ? undefined : "email";
  }
  const isTitle =
    title === undefined || (typeof title === "string" && title !== "" && title.length <= 120);
  if (!isTitle) return "title";
  if (!isText(body)) return "body";
  if (state !== undefined && state !== "draft" && state !== "published") return "state";
  const isTags = tags === undefined || (Array.isArray(tags) && tags.every((one) => isText(one)));
  return isTags ? undefined : "tags";
}

export const articles: Foreign = {
  paths: { ...toPaths("people", "Person"), ...toPaths("articles", "Article") },
  more: {
    components: { schemas, securitySchemes: { main: { type: "http", scheme: "bearer" } } },
  },
  lives: ["createPerson", "createArticle"],
  rules: ["Person", "Article"].flatMap((name) => [
    {
      lifecycle: {
        of: `create${name}`,
        read: `get${name}`,
        update: `update${name}`,
        delete: `delete${name}`,
        list: `list${name}s`,
      },
    },
    { echo: { of: `create${name}`, body: "all" } },
    { sameAs: { of: `get${name}`, as: `list${name}s` } },
    { page: { of: `list${name}s`, index: "page[number]", from: 1, size: "page[size]" } },
  ]),
  thing: { path: /^articles\/\d+$/, field: "title", inner: ["data", "attributes"] },
  open: (habits = {}) => {
    let count = 100;
    const size = 5 + (habits.more ?? 0);
    const people = createStore(
      "people",
      Array.from({ length: size }, (_, index) => ({
        id: String(index + 1),
        attributes: { name: `Person ${index}`, email: `p${index}@example.org` },
      })),
      habits,
    );
    const all = {
      people,
      articles: createStore(
        "articles",
        Array.from({ length: size }, (_, index) => ({
          id: String(index + 1),
          attributes: { title: `Article ${index}`, body: "Text.", state: "draft", tags: [] },
          relationships: { author: { data: { type: "people", id: "1" } } },
        })),
        habits,
      ),
    };
    const show = (word: string, thing: Thing): Thing => ({
      type: word,
      ...thing,
      links: { self: `/${word}/${String(thing["id"])}` },
    });
    const one = (word: string, thing: Thing, status = 200): Reply => ({
      status,
      body: { data: show(word, thing), links: { self: `/${word}/${String(thing["id"])}` } },
      headers: { "content-type": MEDIA, location: `/${word}/${String(thing["id"])}` },
    });
    const list = (word: string, rows: readonly Thing[], query: URLSearchParams): Reply => {
      const [page, per] = [
        Number(query.get("page[number]") ?? 1),
        Number(query.get("page[size]") ?? 20),
      ];
      if (!Number.isInteger(page) || !Number.isInteger(per) || page < 1 || per < 1 || per > 50)
        return fail(400, "page");
      const from = (page - 1) * per;
      const links = {
        self: `/${word}`,
        next:
          from + per < rows.length
            ? `/${word}?page%5Bnumber%5D=${page + 1}&page%5Bsize%5D=${per}`
            : null,
      };
      const data = rows.slice(from, from + per).map((row) => show(word, row));
      return {
        status: 200,
        body: { data, links, meta: { total: rows.length } },
        headers: { "content-type": MEDIA },
      };
    };
    /** What is sent, or the refusal. */
    const read = (
      word: string,
      came: unknown,
      id: string | undefined,
    ): { readonly fault: Reply } | { readonly thing: Thing } => {
      const { data } = fieldsOf(came);
      if (!isObject(data)) return { fault: fail(400, "/data") };
      if (data["type"] !== word) return { fault: fail(409, "/data/type") };
      if (id !== undefined && data["id"] !== id) return { fault: fail(409, "/data/id") };
      const { attributes = {}, relationships } = data;
      if (!isObject(attributes)) return { fault: fail(422, "/data/attributes") };
      const wrong = findFault(word, attributes);
      const isLacking =
        id === undefined && attributes[word === "people" ? "name" : "title"] === undefined;
      if (wrong !== undefined || isLacking)
        return { fault: fail(422, `/data/attributes/${wrong ?? "title"}`) };
      const related = fieldsOf(fieldsOf(relationships)["author"])["data"];
      if (relationships !== undefined && word === "articles") {
        const isThere =
          isObject(related) &&
          related["type"] === "people" &&
          typeof related["id"] === "string" &&
          people.get(related["id"]) !== undefined;
        if (!isThere) return { fault: fail(422, "/data/relationships/author") };
      }
      const linked =
        relationships === undefined ? {} : { relationships: { author: { data: related } } };
      return { thing: { attributes, ...linked } };
    };
    const reply = ({
      steps: [word = "", id],
      steps,
      method,
      query,
      body,
      headers,
    }: Asked): Reply => {
      if (word !== "people" && word !== "articles") return fail(404);
      const store = all[word];
      if (steps.length > 2) return fail(404);
      if (
        ["POST", "PATCH"].includes(method) &&
        !/^application\/vnd\.api\+json/i.test(headers.get("content-type") ?? "")
      )
        return fail(415);
      if (id === undefined) {
        if (method === "GET") return list(word, store.list(), query);
        if (method !== "POST") return { ...notAllowed("GET", "POST"), body: fail(405).body };
        const came = read(word, body, undefined);
        if ("fault" in came) return came.fault;
        const isLone = word === "articles" && came.thing["relationships"] === undefined;
        if (isLone) return fail(422, "/data/relationships");
        const { attributes } = came.thing;
        const { [word === "people" ? "email" : "body"]: _left, ...left } = fieldsOf(attributes);
        const kept = habits.fault === "field ignored" ? left : attributes;
        return one(
          word,
          store.add({ ...came.thing, id: String((count += 1)), attributes: kept }),
          201,
        );
      }
      const thing = store.get(id);
      if (!["GET", "PATCH", "DELETE"].includes(method))
        return { ...notAllowed("GET", "PATCH", "DELETE"), body: fail(405).body };
      if (thing === undefined) return fail(404);
      if (method === "GET") return one(word, thing);
      if (method === "PATCH") {
        const came = read(word, body, id);
        if ("fault" in came) return came.fault;
        const attributes = {
          ...fieldsOf(thing["attributes"]),
          ...fieldsOf(came.thing["attributes"]),
        };
        return one(word, store.change(id, { ...came.thing, attributes }));
      }
      store.remove(id);
      return { status: 204 };
    };
    const typed = (asked: Asked): Reply => {
      const came = signedIn(reply, fail(401).body)(asked);
      const isTyped = came.body === undefined || came.headers?.["content-type"] !== undefined;
      return isTyped ? came : { ...came, headers: { ...came.headers, "content-type": MEDIA } };
    };
    return {
      reply: typed,
      touched: () => Object.values(all).flatMap(({ touched }) => touched),
      rest: () => Object.values(all).flatMap((store) => store.keys()),
    };
  },
};
