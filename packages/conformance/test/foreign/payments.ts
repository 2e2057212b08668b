// After the API of a payment service: forms, 200 for everything, changes by POST, what is deleted is shown as such.
import { type Asked, type Reply } from "../styles.ts";
import { createStore, type Foreign, signedIn, type Thing } from "./service.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const string = { type: "string" };
const texts = { type: "string", maxLength: 5000 };
const json = (schema: Thing, description = "Successful response.") => ({
  description,
  content: { "application/json": { schema } },
});
const failed = { default: json(ref("error"), "Error response.") };
const form = (properties: Thing, required: readonly string[] = []) => ({
  required: required.length > 0,
  content: {
    "application/x-www-form-urlencoded": {
      encoding: {
        expand: { explode: true, style: "deepObject" },
        metadata: { explode: true, style: "deepObject" },
      },
      schema: {
        type: "object",
        additionalProperties: false,
        properties,
        ...(required.length > 0 && { required }),
      },
    },
  },
});
const none = {
  required: false,
  content: {
    "application/x-www-form-urlencoded": {
      encoding: {},
      schema: { type: "object", additionalProperties: false, properties: {} },
    },
  },
};
const inPath = (name: string) => ({
  name,
  in: "path",
  required: true,
  schema: { ...texts },
  style: "simple",
});
const expand = {
  type: "array",
  items: texts,
  description: "Specifies which fields in the response should be expanded.",
};
const metadata = { type: "object", additionalProperties: string };
const paging = [
  { name: "ending_before", in: "query", required: false, schema: texts, style: "form" },
  { name: "limit", in: "query", required: false, schema: { type: "integer" }, style: "form" },
  { name: "starting_after", in: "query", required: false, schema: texts, style: "form" },
];
const listOf = (name: string, url: string) => ({
  type: "object",
  required: ["data", "has_more", "object", "url"],
  properties: {
    data: { type: "array", items: ref(name) },
    has_more: { type: "boolean" },
    object: { type: "string", enum: ["list"] },
    url: { ...texts, pattern: `^${url}` },
  },
});

const customerFields = {
  address: {
    anyOf: [
      { type: "object", properties: { city: texts, country: texts, line1: texts } },
      { type: "string", enum: [""] },
    ],
  },
  balance: { type: "integer" },
  description: texts,
  email: { type: "string", maxLength: 512 },
  expand,
  metadata: { anyOf: [metadata, { type: "string", enum: [""] }] },
  name: { type: "string", maxLength: 256 },
};
const priceFields = {
  currency: string,
  product: texts,
  unit_amount: { type: "integer" },
  nickname: texts,
  active: { type: "boolean" },
  metadata,
  expand,
};

const paths = {
  "/v1/customers": {
    get: {
      operationId: "GetCustomers",
      parameters: [
        { name: "email", in: "query", required: false, schema: { type: "string", maxLength: 512 } },
        ...paging,
      ],
      requestBody: none,
      responses: { 200: json(listOf("customer", "/v1/customers")), ...failed },
    },
    post: {
      operationId: "PostCustomers",
      requestBody: form(customerFields),
      responses: { 200: json(ref("customer")), ...failed },
    },
  },
  "/v1/customers/{customer}": {
    get: {
      operationId: "GetCustomersCustomer",
      parameters: [inPath("customer")],
      requestBody: none,
      responses: { 200: json({ anyOf: [ref("customer"), ref("deleted_customer")] }), ...failed },
    },
    post: {
      operationId: "PostCustomersCustomer",
      parameters: [inPath("customer")],
      requestBody: form(customerFields),
      responses: { 200: json(ref("customer")), ...failed },
    },
    delete: {
      operationId: "DeleteCustomersCustomer",
      parameters: [inPath("customer")],
      requestBody: none,
      responses: { 200: json(ref("deleted_customer")), ...failed },
    },
  },
  "/v1/products": {
    get: {
      operationId: "GetProducts",
      parameters: paging,
      requestBody: none,
      responses: { 200: json(listOf("product", "/v1/products")), ...failed },
    },
    post: {
      operationId: "PostProducts",
      requestBody: form(
        { name: texts, active: { type: "boolean" }, description: texts, metadata, expand },
        ["name"],
      ),
      responses: { 200: json(ref("product")), ...failed },
    },
  },
  "/v1/products/{id}": {
    get: {
      operationId: "GetProductsId",
      parameters: [inPath("id")],
      requestBody: none,
      responses: { 200: json(ref("product")), ...failed },
    },
    post: {
      operationId: "PostProductsId",
      parameters: [inPath("id")],
      requestBody: form({
        name: texts,
        active: { type: "boolean" },
        description: texts,
        metadata,
        expand,
      }),
      responses: { 200: json(ref("product")), ...failed },
    },
    delete: {
      operationId: "DeleteProductsId",
      parameters: [inPath("id")],
      requestBody: none,
      responses: { 200: json(ref("deleted_product")), ...failed },
    },
  },
  "/v1/prices": {
    get: {
      operationId: "GetPrices",
      parameters: paging,
      requestBody: none,
      responses: { 200: json(listOf("price", "/v1/prices")), ...failed },
    },
    post: {
      operationId: "PostPrices",
      requestBody: form(priceFields, ["currency"]),
      responses: { 200: json(ref("price")), ...failed },
    },
  },
  "/v1/prices/{price}": {
    get: {
      operationId: "GetPricesPrice",
      parameters: [inPath("price")],
      requestBody: none,
      responses: { 200: json(ref("price")), ...failed },
    },
    post: {
      operationId: "PostPricesPrice",
      parameters: [inPath("price")],
      requestBody: form({ active: { type: "boolean" }, nickname: texts, metadata, expand }),
      responses: { 200: json(ref("price")), ...failed },
    },
  },
};

const nullable = (schema: Thing) => ({ ...schema, nullable: true });
const object = (name: string) => ({ type: "string", enum: [name] });
const deleted = (name: string) => ({
  type: "object",
  required: ["deleted", "id", "object"],
  properties: { deleted: { type: "boolean", enum: [true] }, id: texts, object: object(name) },
});
const schemas = {
  customer: {
    type: "object",
    required: ["created", "id", "livemode", "object"],
    properties: {
      address: { anyOf: [ref("address")], nullable: true },
      balance: { type: "integer" },
      created: { type: "integer", format: "unix-time" },
      description: nullable(texts),
      email: nullable(texts),
      id: texts,
      livemode: { type: "boolean" },
      metadata,
      name: nullable(texts),
      object: object("customer"),
    },
  },
  address: {
    type: "object",
    properties: { city: nullable(texts), country: nullable(texts), line1: nullable(texts) },
  },
  deleted_customer: deleted("customer"),
  deleted_product: deleted("product"),
  product: {
    type: "object",
    required: ["active", "created", "id", "metadata", "name", "object"],
    properties: {
      active: { type: "boolean" },
      created: { type: "integer", format: "unix-time" },
      description: nullable(texts),
      id: texts,
      metadata,
      name: texts,
      object: object("product"),
    },
  },
  price: {
    type: "object",
    required: ["active", "currency", "id", "object", "product", "metadata"],
    properties: {
      active: { type: "boolean" },
      currency: string,
      id: texts,
      metadata,
      nickname: nullable(texts),
      object: object("price"),
      product: { anyOf: [texts, ref("product")] },
      unit_amount: nullable({ type: "integer" }),
    },
  },
  error: {
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["type"],
        properties: {
          type: { type: "string", enum: ["api_error", "invalid_request_error"] },
          message: texts,
          param: texts,
          code: texts,
        },
      },
    },
  },
};

const wrong = (param: string, status = 400): Reply => ({
  status,
  body: { error: { type: "invalid_request_error", param, message: `Invalid ${param}` } },
});
type Read = (text: string) => unknown;
const asText =
  (longest = 5000): Read =>
  (text) =>
    text === "" ? null : text.length <= longest ? text : undefined;
const asInteger: Read = (text) => (/^-?\d{1,12}$/.test(text) ? Number(text) : undefined);
const asBoolean: Read = (text) => (text === "true" ? true : text === "false" ? false : undefined);
const FIELDS: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  customers: { description: asText(), email: asText(512), name: asText(256), balance: asInteger },
  products: { name: asText(), active: asBoolean, description: asText() },
  prices: {
    currency: (text) => (/^(?:eur|usd|gbp)$/i.test(text) ? text.toLowerCase() : undefined),
    product: asText(),
    unit_amount: asInteger,
    nickname: asText(),
    active: asBoolean,
  },
};
const GROUPS: Readonly<Record<string, readonly string[] | true>> = {
  address: ["city", "country", "line1"],
  metadata: true,
};

/** The fields of a form, or the name of the first that is wrong. */
function readForm(sort: string, text: string, isChange: boolean): Thing | string {
  const out: Record<string, unknown> = {};
  const fields = FIELDS[sort] ?? {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [, group, inner] = /^(\w+)\[([^\]]*)\](?:\[\])?$/.exec(name) ?? [];
    if (group === "expand") return "expand";
    if (group !== undefined && inner !== undefined) {
      const known = group === "address" && sort !== "customers" ? undefined : GROUPS[group];
      if (known === undefined || (known !== true && !known.includes(inner))) return name;
      out[group] = { ...(out[group] as Thing | undefined), [inner]: value };
      continue;
    }
    if ((name === "address" || name === "metadata") && value === "") {
      out[name] = name === "metadata" ? {} : null;
      continue;
    }
    const read =
      isChange && sort === "prices" && ["currency", "product", "unit_amount"].includes(name)
        ? undefined
        : fields[name];
    const came = read?.(value);
    if (came === undefined) return name;
    out[name] = came;
  }
  return out;
}

export const payments: Foreign = {
  paths,
  more: {
    openapi: "3.0.0",
    components: { schemas, securitySchemes: { main: { type: "http", scheme: "bearer" } } },
  },
  stays: ["PostPrices"],
  lives: ["PostCustomers", "PostProducts", "PostPrices"],
  rules: [
    {
      lifecycle: {
        of: "PostCustomers",
        read: "GetCustomersCustomer",
        update: "PostCustomersCustomer",
        delete: "DeleteCustomersCustomer",
        list: "GetCustomers",
      },
    },
    {
      lifecycle: {
        of: "PostProducts",
        read: "GetProductsId",
        update: "PostProductsId",
        delete: "DeleteProductsId",
        list: "GetProducts",
      },
    },
    {
      lifecycle: {
        of: "PostPrices",
        read: "GetPricesPrice",
        update: "PostPricesPrice",
        list: "GetPrices",
      },
    },
    { sameAs: { of: "GetCustomersCustomer", as: "GetCustomers" } },
    { filter: { of: "GetCustomers", by: "email", field: "email" } },
  ],
  thing: { path: /^v1\/customers\/cus_\w+$/, field: "created" },
  open: (habits = {}) => {
    let count = 1000;
    const make = (sort: string, fields: Thing): Thing => {
      const id = `${{ customers: "cus", products: "prod", prices: "price" }[sort] ?? "x"}_N${(count += 7).toString(36)}`;
      const shared = { id, object: sort.slice(0, -1), metadata: {} };
      if (sort === "customers")
        return {
          ...shared,
          created: 1_700_000_000 + count,
          livemode: false,
          address: null,
          balance: 0,
          description: null,
          email: null,
          name: null,
          ...fields,
        };
      return sort === "products"
        ? { ...shared, active: true, created: 1_700_000_000 + count, description: null, ...fields }
        : { ...shared, active: true, nickname: null, unit_amount: null, ...fields };
    };
    const size = 3 + (habits.more ?? 0);
    const rows = (sort: string, toFields: (index: number) => Thing) =>
      Array.from({ length: size }, (_, index) => make(sort, toFields(index)));
    const goods = rows("products", (index) => ({ name: `Product ${index}` }));
    const all: Readonly<Record<string, ReturnType<typeof createStore>>> = {
      customers: createStore(
        "customers",
        rows("customers", (index) => ({
          email: `c${index % 2}@example.org`,
          name: `Customer ${index}`,
        })),
        { ...habits, ignored: "name" },
      ),
      products: createStore("products", goods, { ...habits, ignored: "description" }),
      prices: createStore(
        "prices",
        rows("prices", (index) => ({
          currency: "eur",
          unit_amount: 100 + index,
          product: goods[0]?.["id"],
        })),
        { ...habits, ignored: "nickname" },
      ),
    };
    const deletedOnes = new Set<string>();
    const reply = ({ steps, method, query, text, headers }: Asked): Reply => {
      const [version, sort = "", id] = steps;
      const store = all[sort];
      if (version !== "v1" || store === undefined || steps.length > 3) return wrong("url", 404);
      if (
        method === "POST" &&
        text !== "" &&
        !/^application\/x-www-form-urlencoded/i.test(headers.get("content-type") ?? "")
      )
        return wrong("body");
      const came = method === "POST" ? readForm(sort, text, id !== undefined) : {};
      if (id === undefined && method === "GET") {
        const limit = Number(query.get("limit") ?? 10);
        if (!Number.isInteger(limit) || limit < 1 || limit > 100) return wrong("limit");
        const email = query.get("email");
        const rest = store
          .list()
          .filter((one) => sort !== "customers" || email === null || one["email"] === email)
          .toReversed();
        const last = query.get("starting_after");
        const before = query.get("ending_before");
        const edge = rest.findIndex((one) => one["id"] === (last ?? before));
        if ((last ?? before) !== null && edge === -1)
          return wrong(last === null ? "ending_before" : "starting_after");
        const kept =
          last !== null ? rest.slice(edge + 1) : before !== null ? rest.slice(0, edge) : rest;
        return {
          status: 200,
          body: {
            object: "list",
            url: `/v1/${sort}`,
            has_more: kept.length > limit,
            data: before === null ? kept.slice(0, limit) : kept.slice(-limit),
          },
        };
      }
      if (id === undefined) {
        if (method !== "POST") return wrong("method", 404);
        if (typeof came === "string") return wrong(came);
        if (sort === "products" && typeof came["name"] !== "string") return wrong("name");
        if (
          sort === "prices" &&
          (came["currency"] === undefined ||
            all["products"]?.get(String(came["product"])) === undefined)
        )
          return wrong("product");
        return { status: 200, body: store.add(make(sort, came)) };
      }
      if (sort === "customers" && method === "GET" && deletedOnes.has(id))
        return { status: 200, body: { id, object: "customer", deleted: true } };
      if (store.get(id) === undefined) return wrong("id", 404);
      if (method === "GET") return { status: 200, body: store.get(id) };
      if (method === "POST") {
        if (typeof came === "string") return wrong(came);
        if (sort === "products" && came["name"] === null) return wrong("name");
        const merged = {
          ...came,
          ...(came["metadata"] !== undefined && {
            metadata: { ...(store.get(id)?.["metadata"] as Thing), ...(came["metadata"] as Thing) },
          }),
        };
        return { status: 200, body: store.change(id, merged) };
      }
      if (method !== "DELETE" || sort === "prices") return wrong("method", 404);
      store.remove(id);
      if (habits.fault !== "delete stays") deletedOnes.add(id);
      return { status: 200, body: { id, object: sort.slice(0, -1), deleted: true } };
    };
    return {
      reply: signedIn(reply, wrong("key").body),
      touched: () => Object.values(all).flatMap(({ touched }) => touched),
      rest: () => Object.values(all).flatMap((one) => one.keys()),
    };
  },
};
