// After the pet store that generators of servers come with, converted from Swagger 2.0: keys of the client's choice, 200 for all.
import { type Asked, type Reply } from "../styles.ts";
import {
  createStore,
  type Foreign,
  isObject,
  notAllowed,
  signedIn,
  type Thing,
} from "./service.ts";

const any = (schema: Thing) => ({ "application/json": { schema }, "application/xml": { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const ok = (schema?: Thing) => ({
  description: "successful operation",
  ...(schema && { content: any(schema) }),
});
const text = (description: string) => ({ description });
const inPath = (name: string, schema: Thing) => ({ name, in: "path", required: true, schema });
const int64 = { type: "integer", format: "int64" };
const string = { type: "string" };
const body = (schema: Thing) => ({ required: true, content: any(schema) });

const paths = {
  "/pet": {
    post: {
      operationId: "addPet",
      requestBody: body(ref("Pet")),
      responses: { 200: ok(ref("Pet")), 400: text("Invalid"), 405: text("Invalid input") },
    },
    put: {
      operationId: "updatePet",
      requestBody: body(ref("Pet")),
      responses: {
        200: ok(ref("Pet")),
        400: text("Invalid ID supplied"),
        404: text("Pet not found"),
      },
    },
  },
  "/pet/findByStatus": {
    get: {
      operationId: "findPetsByStatus",
      parameters: [
        {
          name: "status",
          in: "query",
          schema: { type: "string", enum: ["available", "pending", "sold"], default: "available" },
        },
      ],
      responses: {
        200: ok({ type: "array", items: ref("Pet") }),
        400: text("Invalid status value"),
      },
    },
  },
  "/pet/{petId}": {
    get: {
      operationId: "getPetById",
      parameters: [inPath("petId", int64)],
      responses: {
        200: ok(ref("Pet")),
        400: text("Invalid ID supplied"),
        404: text("Pet not found"),
      },
    },
    delete: {
      operationId: "deletePet",
      parameters: [{ name: "api_key", in: "header", schema: string }, inPath("petId", int64)],
      responses: { 200: text("Pet deleted"), 400: text("Invalid pet value") },
    },
  },
  "/pet/{petId}/uploadImage": {
    post: {
      operationId: "uploadFile",
      parameters: [
        inPath("petId", int64),
        { name: "additionalMetadata", in: "query", schema: string },
      ],
      requestBody: {
        content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
      },
      responses: { 200: ok(ref("ApiResponse")) },
    },
  },
  "/store/order": {
    post: {
      operationId: "placeOrder",
      requestBody: { content: any(ref("Order")) },
      responses: { 200: ok(ref("Order")), 400: text("Invalid input") },
    },
  },
  "/store/order/{orderId}": {
    get: {
      operationId: "getOrderById",
      parameters: [inPath("orderId", int64)],
      responses: {
        200: ok(ref("Order")),
        400: text("Invalid ID supplied"),
        404: text("Order not found"),
      },
    },
    delete: {
      operationId: "deleteOrder",
      parameters: [inPath("orderId", int64)],
      responses: {
        200: text("order deleted"),
        400: text("Invalid ID supplied"),
        404: text("Order not found"),
      },
    },
  },
  "/user": {
    post: {
      operationId: "createUser",
      requestBody: { content: any(ref("User")) },
      responses: { 200: ok(ref("User")), default: text("unexpected error") },
    },
  },
  "/user/createWithList": {
    post: {
      operationId: "createUsersWithListInput",
      requestBody: { content: any({ type: "array", items: ref("User") }) },
      responses: { 200: ok(ref("User")), default: text("unexpected error") },
    },
  },
  "/user/{username}": {
    get: {
      operationId: "getUserByName",
      parameters: [inPath("username", string)],
      responses: {
        200: ok(ref("User")),
        400: text("Invalid username"),
        404: text("User not found"),
      },
    },
    put: {
      operationId: "updateUser",
      parameters: [inPath("username", string)],
      requestBody: { content: any(ref("User")) },
      responses: {
        200: text("successful operation"),
        400: text("bad request"),
        404: text("user not found"),
      },
    },
    delete: {
      operationId: "deleteUser",
      parameters: [inPath("username", string)],
      responses: {
        200: text("User deleted"),
        400: text("Invalid username"),
        404: text("User not found"),
      },
    },
  },
};

const schemas = {
  Category: {
    type: "object",
    properties: { id: { ...int64, example: 1 }, name: { ...string, example: "Dogs" } },
    xml: { name: "category" },
  },
  Tag: { type: "object", properties: { id: int64, name: string } },
  Pet: {
    type: "object",
    required: ["name", "photoUrls"],
    properties: {
      id: { ...int64, example: 10 },
      name: { ...string, example: "doggie" },
      category: ref("Category"),
      photoUrls: { type: "array", items: string },
      tags: { type: "array", items: ref("Tag") },
      status: { type: "string", enum: ["available", "pending", "sold"] },
    },
  },
  Order: {
    type: "object",
    properties: {
      id: { ...int64, example: 10 },
      petId: { ...int64, example: 198772 },
      quantity: { type: "integer", format: "int32", example: 7 },
      shipDate: { type: "string", format: "date-time" },
      status: { type: "string", enum: ["placed", "approved", "delivered"], example: "approved" },
      complete: { type: "boolean" },
    },
  },
  User: {
    type: "object",
    properties: {
      id: { ...int64, example: 10 },
      username: { ...string, example: "theUser" },
      firstName: { ...string, example: "John" },
      email: { ...string, example: "john@email.com" },
      userStatus: { type: "integer", format: "int32", example: 1 },
    },
  },
  ApiResponse: {
    type: "object",
    properties: { code: { type: "integer", format: "int32" }, type: string, message: string },
  },
};

const isText = (value: unknown) => value === undefined || typeof value === "string";
const isInteger = (value: unknown) => value === undefined || Number.isInteger(value);
const isOneOf = (value: unknown, ...all: readonly unknown[]) =>
  value === undefined || all.includes(value);
const isTag = (value: unknown) =>
  value === undefined || (isObject(value) && isInteger(value["id"]) && isText(value["name"]));
const isPet = (value: unknown): value is Thing =>
  isObject(value) &&
  isInteger(value["id"]) &&
  typeof value["name"] === "string" &&
  Array.isArray(value["photoUrls"]) &&
  value["photoUrls"].every((one) => typeof one === "string") &&
  isTag(value["category"]) &&
  [value["tags"] ?? []].flat().every(isTag) &&
  (value["tags"] === undefined || Array.isArray(value["tags"])) &&
  isOneOf(value["status"], "available", "pending", "sold");
const isOrder = (value: unknown): value is Thing =>
  isObject(value) &&
  ["id", "petId", "quantity"].every((name) => isInteger(value[name])) &&
  (value["shipDate"] === undefined ||
    (typeof value["shipDate"] === "string" &&
      !Number.isNaN(Date.parse(value["shipDate"])) &&
      /T/.test(value["shipDate"]) &&
      !/02-30/.test(value["shipDate"]))) &&
  isOneOf(value["status"], "placed", "approved", "delivered") &&
  (value["complete"] === undefined || typeof value["complete"] === "boolean");
const isUser = (value: unknown): value is Thing =>
  isObject(value) &&
  ["username", "firstName", "email"].every((name) => isText(value[name])) &&
  ["id", "userStatus"].every((name) => isInteger(value[name]));

const isKey = (value: string | undefined) => /^\d{1,18}$/.test(value ?? "");

export const petstore: Foreign = {
  paths,
  more: {
    openapi: "3.0.4",
    components: { schemas, securitySchemes: { main: { type: "http", scheme: "bearer" } } },
  },
  lives: ["addPet", "placeOrder", "createUser"],
  rules: [
    {
      lifecycle: {
        of: "addPet",
        read: "getPetById",
        update: "updatePet",
        delete: "deletePet",
        list: "findPetsByStatus",
      },
    },
    { lifecycle: { of: "placeOrder", read: "getOrderById", delete: "deleteOrder" } },
    {
      lifecycle: {
        of: "createUser",
        read: "getUserByName",
        update: "updateUser",
        delete: "deleteUser",
      },
    },
    { sameAs: { of: "getPetById", as: "findPetsByStatus" } },
    { echo: { of: "findPetsByStatus", param: "status", field: "status" } },
  ],
  thing: { path: /^pet\/\d+$/, field: "name" },
  open: (habits = {}) => {
    const seeds = Array.from({ length: 3 + (habits.more ?? 0) }, (_, index) => ({
      id: index + 1,
      name: `Pet ${index}`,
      photoUrls: [`https://example.org/${index}.png`],
      status: ["available", "pending", "sold"][index % 3],
    }));
    const pets = createStore("pet", seeds, { ...habits, ignored: "status" });
    const orders = createStore("order", [{ id: 1, petId: 1, quantity: 1, complete: false }], {
      ...habits,
      ignored: "quantity",
    });
    const users = createStore("user", [{ id: 1, username: "user1", firstName: "Una" }], {
      ...habits,
      key: "username",
      ignored: "firstName",
    });
    let count = 100;
    const wrong: Reply = { status: 400 };
    const missing: Reply = { status: 404 };
    const onPets = ({ steps: [, id, below], method, query, body: came }: Asked): Reply => {
      if (id === "findByStatus") {
        const status = query.get("status") ?? "available";
        if (method !== "GET") return notAllowed("GET");
        return isOneOf(status, "available", "pending", "sold")
          ? { status: 200, body: pets.list().filter((one) => one["status"] === status) }
          : wrong;
      }
      if (id === undefined) {
        if (method !== "POST" && method !== "PUT") return notAllowed("POST", "PUT");
        if (!isPet(came)) return wrong;
        if (method === "POST")
          return { status: 200, body: pets.add({ ...came, id: came["id"] ?? (count += 1) }) };
        return pets.get(String(came["id"]))
          ? { status: 200, body: pets.replace(String(came["id"]), came) }
          : missing;
      }
      if (!isKey(id)) return wrong;
      const pet = pets.get(id);
      if (below === "uploadImage") {
        if (method !== "POST") return notAllowed("POST");
        return pet
          ? { status: 200, body: { code: 200, type: "unknown", message: "saved" } }
          : missing;
      }
      if (method === "GET") return pet ? { status: 200, body: pet } : missing;
      if (method !== "DELETE") return notAllowed("GET", "DELETE");
      if (!pet) return wrong;
      pets.remove(id);
      return { status: 200 };
    };
    const onOrders = ({ steps: [, , id], method, body: came }: Asked): Reply => {
      if (id === undefined) {
        if (method !== "POST") return notAllowed("POST");
        return isOrder(came)
          ? { status: 200, body: orders.add({ ...came, id: came["id"] ?? (count += 1) }) }
          : wrong;
      }
      if (!isKey(id)) return wrong;
      const order = orders.get(id);
      if (method !== "GET" && method !== "DELETE") return notAllowed("GET", "DELETE");
      if (!order) return missing;
      if (method === "GET") return { status: 200, body: order };
      orders.remove(id);
      return { status: 200 };
    };
    const onUsers = ({ steps: [, name], method, body: came }: Asked): Reply => {
      if (name === undefined || name === "createWithList") {
        if (method !== "POST") return notAllowed("POST");
        const all = name === undefined ? [came] : came;
        if (
          !Array.isArray(all) ||
          all.length === 0 ||
          !all.every(isUser) ||
          all.some((one) => isObject(one) && one["username"] === undefined)
        )
          return wrong;
        const added = all.map((one: Thing) => users.add({ ...one, id: one["id"] ?? (count += 1) }));
        return { status: 200, body: added.at(-1) };
      }
      const user = users.get(name);
      if (!["GET", "PUT", "DELETE"].includes(method)) return notAllowed("GET", "PUT", "DELETE");
      if (!user) return missing;
      if (method === "GET") return { status: 200, body: user };
      if (method === "PUT" && !isUser(came)) return wrong;
      if (method === "PUT") users.change(name, { ...(came as Thing), username: name });
      else users.remove(name);
      return { status: 200 };
    };
    return {
      touched: () => [pets, orders, users].flatMap(({ touched }) => touched),
      rest: () => [...pets.keys(), ...orders.keys(), ...users.keys()],
      reply: signedIn((asked) => {
        const [first, second] = asked.steps;
        if (first === "pet") return onPets(asked);
        if (first === "store" && second === "order") return onOrders(asked);
        return first === "user" ? onUsers(asked) : missing;
      }),
    };
  },
};
