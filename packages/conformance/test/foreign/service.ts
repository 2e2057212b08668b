// Services after public documents, in memory: what they have in common, which faults they can have, and what lawful variants of them do.
import { createHash } from "node:crypto";
import type { ApiOptions } from "../../src/index.ts";
import { type Asked, check, isSignedIn, type Reply, SIGN_IN, TOKEN } from "../styles.ts";

export type Thing = Readonly<Record<string, unknown>>;

/** In what a service keeps. Faults of single answers are put in from outside. */
export type StateFault = "change lost" | "delete stays" | "field ignored" | "new not listed";

export interface Opened {
  readonly reply: (asked: Asked) => Reply;
  /** Changes of things that the check did not create. */
  readonly touched: () => readonly string[];
  /** Keys of all things that are there. */
  readonly rest: () => readonly string[];
}

export interface Habits {
  readonly fault?: StateFault | undefined;
  /** So many more things than usual are there from the start. */
  readonly more?: number | undefined;
  /** So many lists show what was written before. */
  readonly lag?: number | undefined;
}

export interface Foreign {
  readonly paths: Thing;
  readonly more: Thing;
  readonly rules: readonly Thing[];
  readonly relations?: Thing;
  readonly open: (habits?: Habits) => Opened;
  /** Operations whose life must be seen. */
  readonly lives: readonly string[];
  /** What `--init` must find, as its file says it. */
  readonly mined?: readonly string[];
  /** Creations of things that nothing deletes. */
  readonly stays?: readonly string[];
  /** For faults of single answers: where one thing is, and a field that it must have. */
  readonly thing: {
    readonly path: RegExp;
    readonly field: string;
    readonly inner?: readonly string[];
  };
}

/** Things by their key; `ignored` is the field that a faulty service does not keep. */
export function createStore(
  name: string,
  seeds: readonly Thing[],
  {
    fault,
    lag = 0,
    key = "id",
    ignored = "",
  }: Habits & { readonly key?: string; readonly ignored?: string },
) {
  const rows = new Map(seeds.map((one) => [String(one[key]), one]));
  const seeded = new Set(rows.keys());
  const born = new Map<string, number>();
  const touched: string[] = [];
  let lists = 0;
  const touch = (how: string, id: string) => {
    if (seeded.has(id) && rows.has(id)) touched.push(`${how} ${name}/${id}`);
  };
  return {
    touched,
    get: (id: string | undefined) => rows.get(id ?? ""),
    has: (isWanted: (one: Thing) => boolean) => [...rows.values()].some(isWanted),
    keys: () => [...rows.keys()].map((one) => `${name}/${one}`),
    list: (): readonly Thing[] => {
      lists += 1;
      return [...rows]
        .filter(([id]) => fault !== "new not listed" || !born.has(id))
        .filter(([id]) => lists - (born.get(id) ?? -Infinity) > lag)
        .map(([, one]) => one);
    },
    add: (thing: Thing): Thing => {
      const { [ignored]: _ignored, ...left } = thing;
      const kept = fault === "field ignored" ? left : thing;
      rows.set(String(thing[key]), kept);
      born.set(String(thing[key]), lists);
      return kept;
    },
    change: (id: string, fields: Thing): Thing => {
      touch("change", id);
      const was = rows.get(id) ?? {};
      const now = { ...was, ...fields };
      if (fault !== "change lost") rows.set(id, now);
      return now;
    },
    replace: (id: string, thing: Thing): Thing => {
      touch("replace", id);
      if (fault !== "change lost") rows.set(id, thing);
      return thing;
    },
    remove: (id: string): void => {
      touch("delete", id);
      if (fault !== "delete stays") rows.delete(id);
    },
  };
}

export const isObject = (value: unknown): value is Thing =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whoever is not signed in is told so first; `body`: in the form of the service's other faults. */
export const signedIn =
  (reply: (asked: Asked) => Reply, body: unknown = {}): ((asked: Asked) => Reply) =>
  (asked) =>
    isSignedIn(asked) ? reply(asked) : { ...SIGN_IN, body };

export const notAllowed = (...methods: readonly string[]): Reply => ({
  status: 405,
  body: {},
  headers: { allow: methods.join(", ") },
});

type Change = (reply: Reply, asked: Asked) => Reply;

const isList = (value: unknown): value is readonly Thing[] =>
  Array.isArray(value) && value.length > 1 && value.every(isObject);

const turnLists = (value: unknown, by: number, depth = 0): unknown => {
  if (isList(value))
    return [...value.slice(by % value.length), ...value.slice(0, by % value.length)];
  return isObject(value) && depth === 0
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, turnLists(one, by, 1)]))
    : value;
};

/** What any service may do. */
export const VARIANTS: Readonly<
  Record<
    string,
    () => {
      readonly habits?: Habits;
      readonly change?: Change;
      /** Before anything is done. */
      readonly refuse?: () => Reply | undefined;
    }
  >
> = {
  compressed: () => ({
    change: (reply, { headers }) =>
      reply.body === undefined || headers.get("accept-encoding") === "identity"
        ? reply
        : {
            ...reply,
            headers: {
              ...reply.headers,
              "content-encoding": "gzip",
              "content-length": "77",
              vary: "Accept-Encoding",
            },
          },
  }),
  "with headers of its own": () => {
    let count = 0;
    return {
      change: (reply) => ({
        ...reply,
        headers: {
          ...reply.headers,
          "x-request-id": `r${(count += 1)}`,
          "x-ratelimit-remaining": String(5000 - count),
          "cache-control": "no-store",
        },
      }),
    };
  },
  "limited in its rate": () => {
    let count = 0;
    return {
      refuse: () =>
        (count += 1) % 9 === 0
          ? { status: 429, body: {}, headers: { "retry-after": "0" } }
          : undefined,
    };
  },
  "late in its lists": () => ({ habits: { lag: 1 } }),
  "in any order": () => {
    let turn = 0;
    return {
      change: (reply, { method }) =>
        method === "GET" ? { ...reply, body: turnLists(reply.body, (turn += 1)) } : reply,
    };
  },
  larger: () => ({ habits: { more: 40 } }),
  "without HEAD": () => ({
    change: (reply, { isHead }) => (isHead ? { status: 405, headers: { allow: "GET" } } : reply),
  }),
  "with validators": () => ({
    change: (reply, { method, headers, isHead }) => {
      // A tag that is made of the body may be missing from HEAD (RFC 9110, 9.3.2).
      if (method !== "GET" || isHead || reply.status !== 200) return reply;
      const etag = `"${createHash("sha256").update(JSON.stringify(reply.body)).digest("hex").slice(0, 12)}"`;
      return headers.get("if-none-match") === etag
        ? { status: 304, headers: { etag } }
        : { ...reply, headers: { ...reply.headers, etag } };
    },
  }),
};

const mapInner = (
  value: unknown,
  inner: readonly string[],
  map: (thing: Thing) => unknown,
): unknown => {
  const [name, ...rest] = inner;
  if (!isObject(value)) return value;
  return name === undefined ? map(value) : { ...value, [name]: mapInner(value[name], rest, map) };
};

export interface Drift {
  readonly fault?: StateFault;
  /** DELETE needs no credentials. */
  readonly isOpen?: true;
  readonly change?: (service: Foreign) => Change;
}

const onThing =
  (map: (thing: Thing, field: string) => unknown) =>
  ({ thing: { path, field, inner = [] } }: Foreign): Change =>
  (reply, { method, steps }) =>
    method === "GET" && reply.status === 200 && path.test(steps.join("/"))
      ? { ...reply, body: mapInner(reply.body, inner, (one) => map(one, field)) }
      : reply;

const renameIn = ({ ...one }: Record<string, unknown>, field: string): Thing => {
  const { [field]: value, ...others } = one;
  return { ...others, [`${field}_v2`]: value };
};

/** One fault each. */
export const DRIFTS: Readonly<Record<string, Drift>> = {
  "a field has another name": { change: onThing((one, field) => renameIn(one, field)) },
  "a change is not kept": { fault: "change lost" },
  "what is deleted stays": { fault: "delete stays" },
  "a creation leaves a field out": { fault: "field ignored" },
  "what is new is not listed": { fault: "new not listed" },
  "a creation has another status": {
    change:
      () =>
      (reply, { method }) =>
        method === "POST" && [200, 201].includes(reply.status)
          ? { ...reply, status: reply.status === 200 ? 206 : 207 }
          : reply,
  },
  "anybody may delete": { isOpen: true },
  "another media type": {
    change:
      ({ thing: { path } }) =>
      (reply, { steps, method }) =>
        method === "GET" && reply.status === 200 && path.test(steps.join("/"))
          ? { ...reply, headers: { ...reply.headers, "content-type": "text/html" } }
          : reply,
  },
  "what is missing is told in another way": {
    change: () => (reply) => (reply.status === 404 ? { ...reply, body: "not found" } : reply),
  },
  "null where a value is required": {
    change: onThing((one, field) => ({ ...one, [field]: null })),
  },
};

/** A check of a service, with writes, as it is or in another way. */
export async function checkForeign(
  service: Foreign,
  {
    habits = {},
    change,
    refuse,
    isOpen,
    options = {},
  }: ReturnType<(typeof VARIANTS)[string]> & {
    readonly isOpen?: true;
    readonly options?: ApiOptions;
  } = {},
) {
  const { reply, touched, rest } = service.open(habits);
  const seeds = rest();
  const asSigned = (asked: Asked): Asked =>
    isOpen && asked.method === "DELETE"
      ? { ...asked, headers: new Headers({ authorization: `Bearer ${TOKEN}` }) }
      : asked;
  const report = await check(
    service.paths,
    (asked) => {
      const came = refuse?.() ?? reply(asSigned(asked));
      return change === undefined ? came : change(came, asked);
    },
    {
      rules: service.rules,
      relations: service.relations ?? {},
      more: service.more,
      mayWrite: true,
      ...options,
    },
  );
  const lost = seeds.filter((one) => !rest().includes(one));
  return { report, touched: touched(), lost };
}
