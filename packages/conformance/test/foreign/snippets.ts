// After the API of a host for code: snippets with a map of files, labels by name and milestones by number below a repository.
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
const ok = (schema: Thing, more: Thing = {}) => ({
  description: "Response",
  content: { "application/json": { schema } },
  ...more,
});
const failure = (description: string) => ({
  description,
  content: { "application/json": { schema: ref("basic-error") } },
});
const missing = { 404: failure("Resource not found") };
const invalid = {
  422: {
    description: "Validation failed",
    content: { "application/json": { schema: ref("validation-error") } },
  },
};
const none = { 204: { description: "Response" } };
const string = { type: "string" };
const inPath = (name: string, description: string, schema: Thing = string) => ({
  name,
  description,
  in: "path",
  required: true,
  schema,
});
const owner = inPath(
  "owner",
  "The account owner of the repository. The name is not case sensitive.",
);
const repo = inPath("repo", "The name of the repository without the `.git` extension.");
const gist = inPath("gist_id", "The unique identifier of the gist.");
const number = inPath("milestone_number", "The number that identifies the milestone.", {
  type: "integer",
});
const labelName = inPath("name", "The name of the label.");
const paging = [
  {
    name: "per_page",
    description: "The number of results per page (max 100).",
    in: "query",
    schema: { type: "integer", default: 30 },
  },
  {
    name: "page",
    description: "The page number of the results to fetch.",
    in: "query",
    schema: { type: "integer", default: 1 },
  },
];
const json = (schema: Thing) => ({ required: true, content: { "application/json": { schema } } });
const link = { headers: { Link: { schema: string } } };
const array = (name: string) => ({ type: "array", items: ref(name) });
const location = { headers: { Location: { schema: string } } };

const files = {
  type: "object",
  description: "Names and content for the files that make up the gist",
  additionalProperties: {
    type: "object",
    required: ["content"],
    properties: { content: { type: "string", description: "Content of the file" } },
  },
};
const paths = {
  "/gists": {
    get: {
      operationId: "gists/list",
      parameters: paging,
      responses: { 200: ok(array("base-gist"), link), 304: { description: "Not modified" } },
    },
    post: {
      operationId: "gists/create",
      requestBody: json({
        type: "object",
        required: ["files"],
        properties: {
          description: { type: "string", description: "Description of the gist" },
          files,
          public: { type: "boolean", default: false },
        },
      }),
      responses: { 201: ok(ref("base-gist"), location), ...missing, ...invalid },
    },
  },
  "/gists/{gist_id}": {
    parameters: [gist],
    get: { operationId: "gists/get", responses: { 200: ok(ref("base-gist")), ...missing } },
    patch: {
      operationId: "gists/update",
      requestBody: json({
        type: "object",
        properties: {
          description: { type: "string" },
          files: {
            type: "object",
            additionalProperties: {
              type: ["object", "null"],
              properties: { content: string, filename: { type: ["string", "null"] } },
            },
          },
        },
      }),
      responses: { 200: ok(ref("base-gist")), ...missing, ...invalid },
    },
    delete: { operationId: "gists/delete", responses: { ...none, ...missing } },
  },
  "/gists/{gist_id}/star": {
    parameters: [gist],
    get: { operationId: "gists/check-is-starred", responses: { ...none, ...missing } },
    put: { operationId: "gists/star", responses: { ...none, ...missing } },
    delete: { operationId: "gists/unstar", responses: { ...none, ...missing } },
  },
  "/user/repos": {
    get: {
      operationId: "repos/list-for-authenticated-user",
      parameters: paging,
      responses: { 200: ok(array("repository"), link) },
    },
  },
  "/repos/{owner}/{repo}": {
    parameters: [owner, repo],
    get: { operationId: "repos/get", responses: { 200: ok(ref("repository")), ...missing } },
  },
  "/repos/{owner}/{repo}/labels": {
    parameters: [owner, repo],
    get: {
      operationId: "issues/list-labels-for-repo",
      parameters: paging,
      responses: { 200: ok(array("label"), link), ...missing },
    },
    post: {
      operationId: "issues/create-label",
      requestBody: json({
        type: "object",
        required: ["name"],
        properties: { name: string, color: string, description: string },
      }),
      responses: { 201: ok(ref("label"), location), ...missing, ...invalid },
    },
  },
  "/repos/{owner}/{repo}/labels/{name}": {
    parameters: [owner, repo, labelName],
    get: { operationId: "issues/get-label", responses: { 200: ok(ref("label")), ...missing } },
    delete: { operationId: "issues/delete-label", responses: none },
  },
  "/repos/{owner}/{repo}/milestones": {
    parameters: [owner, repo],
    get: {
      operationId: "issues/list-milestones",
      parameters: [
        {
          name: "state",
          in: "query",
          schema: { type: "string", enum: ["open", "closed", "all"], default: "open" },
        },
        ...paging,
      ],
      responses: { 200: ok(array("milestone"), link), ...missing },
    },
  },
  "/repos/{owner}/{repo}/milestones/{milestone_number}": {
    parameters: [owner, repo, number],
    get: {
      operationId: "issues/get-milestone",
      responses: { 200: ok(ref("milestone")), ...missing },
    },
  },
};

const nullable = { type: ["string", "null"] };
const schemas = {
  "basic-error": {
    type: "object",
    properties: { message: string, documentation_url: string, status: string },
  },
  "validation-error": {
    type: "object",
    required: ["message", "documentation_url"],
    properties: {
      message: string,
      documentation_url: string,
      errors: {
        type: "array",
        items: {
          type: "object",
          required: ["code"],
          properties: { resource: string, field: string, code: string },
        },
      },
    },
  },
  "simple-user": {
    type: "object",
    required: ["login", "id"],
    properties: { login: string, id: { type: "integer" } },
  },
  "base-gist": {
    type: "object",
    required: ["id", "url", "files", "public", "created_at", "updated_at", "description"],
    properties: {
      id: string,
      url: { type: "string", format: "uri" },
      files: {
        type: "object",
        additionalProperties: {
          type: "object",
          properties: { filename: string, size: { type: "integer" }, content: string },
        },
      },
      public: { type: "boolean" },
      created_at: { type: "string", format: "date-time" },
      updated_at: { type: "string", format: "date-time" },
      description: nullable,
      owner: ref("simple-user"),
    },
  },
  repository: {
    type: "object",
    required: ["id", "name", "full_name", "owner", "private"],
    properties: {
      id: { type: "integer" },
      name: string,
      full_name: string,
      owner: ref("simple-user"),
      private: { type: "boolean" },
    },
  },
  label: {
    type: "object",
    required: ["id", "name", "color", "default", "description"],
    properties: {
      id: { type: "integer" },
      name: string,
      color: string,
      default: { type: "boolean" },
      description: nullable,
    },
  },
  milestone: {
    type: "object",
    required: ["id", "number", "title", "state"],
    properties: {
      id: { type: "integer" },
      number: { type: "integer" },
      title: string,
      state: { type: "string", enum: ["open", "closed"] },
      description: nullable,
    },
  },
};

const fail = (status: number, field?: string): Reply => ({
  status,
  body: {
    message: status === 422 ? "Validation Failed" : "Not Found",
    documentation_url: "https://docs.example.org",
    ...(field === undefined
      ? { status: String(status) }
      : { errors: [{ resource: "Gist", field, code: "invalid" }] }),
  },
});
const OWNER = { login: "ada", id: 1 };

/** Files by name as they are kept; undefined for what is none. */
function readFiles(value: unknown, was: Thing = {}): Thing | undefined {
  if (!isObject(value)) return undefined;
  const all: Record<string, unknown> = { ...was };
  for (const [name, file] of Object.entries(value)) {
    if (file === null) {
      delete all[name];
      continue;
    }
    const content = isObject(file) ? file["content"] : undefined;
    if (typeof content !== "string" || content === "") return undefined;
    all[name] = { filename: name, size: Buffer.byteLength(content), content };
  }
  return Object.keys(all).length === 0 ? undefined : all;
}

export const snippets: Foreign = {
  paths,
  more: {
    components: { schemas, securitySchemes: { main: { type: "http", scheme: "bearer" } } },
  },
  lives: ["gists/create"],
  rules: [
    {
      lifecycle: {
        of: "gists/create",
        read: "gists/get",
        update: "gists/update",
        delete: "gists/delete",
        list: "gists/list",
      },
    },
    { sameAs: { of: "gists/get", as: "gists/list" } },
    { page: { of: "gists/list", index: "page", from: 1, size: "per_page" } },
    { sameAs: { of: "issues/get-label", as: "issues/list-labels-for-repo" } },
    { sameAs: { of: "issues/get-milestone", as: "issues/list-milestones" } },
  ],
  relations: {
    values: {
      owner: "repos/list-for-authenticated-user#*/owner/login",
      repo: "repos/list-for-authenticated-user#*/name",
    },
  },
  thing: { path: /^gists\/[^/]+$/, field: "created_at" },
  open: (habits = {}) => {
    let count = 4096;
    let clock = Date.UTC(2026, 0, 1);
    const now = (): string => new Date((clock += 1000)).toISOString().replace(".000", "");
    const toGist = (sent: Thing, kept: Thing): Thing => {
      const id = (count += 17).toString(16).padStart(8, "a");
      const created = now();
      return {
        id,
        url: `https://api.example.org/gists/${id}`,
        files: kept,
        public: sent["public"] ?? false,
        created_at: created,
        updated_at: created,
        description: sent["description"] ?? null,
        owner: OWNER,
      };
    };
    const seeds = Array.from({ length: 4 + (habits.more ?? 0) }, (_, index) =>
      toGist(
        { description: index === 1 ? undefined : `Gist ${index}`, public: index % 2 === 0 },
        readFiles({ [`f${index}.txt`]: { content: `content ${index}` } }) ?? {},
      ),
    );
    const gists = createStore("gists", seeds, { ...habits, ignored: "description" });
    const stars = new Set<string>();
    const repos = ["hello", "world"].map((name, index) => ({
      id: 10 + index,
      name,
      full_name: `ada/${name}`,
      owner: OWNER,
      private: false,
    }));
    const labels = ["bug", "help wanted", "good first issue"].map((name, index) => ({
      id: 200 + index,
      name,
      color: "d73a4a",
      default: true,
      description: null,
    }));
    const milestones = [1, 2, 3].map((one) => ({
      id: 7000 + one,
      number: one,
      title: `v${one}`,
      state: one === 3 ? "closed" : "open",
      description: null,
    }));
    const page = (rows: readonly unknown[], { query, steps }: Asked): Reply => {
      const [per, at] = [Number(query.get("per_page") ?? 30), Number(query.get("page") ?? 1)];
      if (!Number.isInteger(per) || !Number.isInteger(at)) return fail(422, "page");
      const size = Math.min(Math.max(per, 1), 100);
      const from = (Math.max(at, 1) - 1) * size;
      const next = `<http://styles.test/${steps.join("/")}?per_page=${size}&page=${Math.max(at, 1) + 1}>; rel="next"`;
      const isMore = from + size < rows.length;
      return {
        status: 200,
        body: rows.slice(from, from + size),
        ...(isMore && { headers: { link: next } }),
      };
    };
    const onGists = (asked: Asked): Reply => {
      const { method, body: came } = asked;
      const [, id, below] = asked.steps;
      if (id === undefined) {
        if (method === "GET") return page(gists.list().toReversed(), asked);
        if (method !== "POST") return notAllowed("GET", "POST");
        if (!isObject(came)) return fail(422, "body");
        const kept = readFiles(came["files"]);
        const isRight =
          kept !== undefined &&
          [undefined, true, false].includes(came["public"] as boolean) &&
          (came["description"] === undefined || typeof came["description"] === "string");
        if (!isRight) return fail(422, "files");
        const made = gists.add(toGist(came, kept));
        return { status: 201, body: made, headers: { location: String(made["url"]) } };
      }
      const thing = gists.get(id);
      if (below !== undefined && below !== "star") return fail(404);
      const methods = below === undefined ? ["GET", "PATCH", "DELETE"] : ["GET", "PUT", "DELETE"];
      if (!methods.includes(method)) return notAllowed(...methods);
      if (thing === undefined) return fail(404);
      if (below === "star") {
        if (method === "PUT") stars.add(id);
        if (method === "DELETE") stars.delete(id);
        return method === "GET" && !stars.has(id) ? fail(404) : { status: 204 };
      }
      if (method === "GET") return { status: 200, body: thing };
      if (method === "DELETE") {
        gists.remove(id);
        return { status: 204 };
      }
      if (!isObject(came)) return fail(422, "body");
      const { description, files: changed } = came;
      const kept = changed === undefined ? {} : readFiles(changed, thing["files"] as Thing);
      if (kept === undefined || (description !== undefined && typeof description !== "string"))
        return fail(422, "files");
      const fields = {
        ...(description !== undefined && { description }),
        ...(changed !== undefined && { files: kept }),
        updated_at: now(),
      };
      return { status: 200, body: gists.change(id, fields) };
    };
    const onRepos = (asked: Asked): Reply => {
      const [, user, name, sort, key] = asked.steps;
      const found = repos.find((one) => one.name === name && user === OWNER.login);
      if (asked.method !== "GET") {
        const isMade = sort === "labels" && key === undefined && asked.method === "POST";
        if (isMade) throw new Error("a repository of others is changed");
        return notAllowed("GET", "POST", "DELETE");
      }
      if (found === undefined) return fail(404);
      if (sort === undefined) return { status: 200, body: found };
      if (sort === "labels") {
        const label = labels.find((one) => one.name === key);
        if (key === undefined) return page(labels, asked);
        return label ? { status: 200, body: label } : fail(404);
      }
      if (sort !== "milestones") return fail(404);
      const state = asked.query.get("state") ?? "open";
      if (!["open", "closed", "all"].includes(state)) return fail(422, "state");
      if (key === undefined)
        return page(
          milestones.filter((one) => state === "all" || one.state === state),
          asked,
        );
      const milestone = milestones.find((one) => String(one.number) === key);
      return milestone ? { status: 200, body: milestone } : fail(404);
    };
    const reply = (asked: Asked): Reply => {
      const [first, second] = asked.steps;
      if (first === "gists") return onGists(asked);
      if (first === "user" && second === "repos")
        return asked.method === "GET" ? page(repos, asked) : notAllowed("GET");
      return first === "repos" ? onRepos(asked) : fail(404);
    };
    return {
      reply: signedIn(reply, fail(401).body),
      touched: () => gists.touched,
      rest: gists.keys,
    };
  },
};
