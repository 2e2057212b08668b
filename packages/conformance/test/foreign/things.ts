// Collections of things in memory that answer as other people's services do, and what a check of them says in short.
import {
  type Asked,
  check,
  type Checked,
  fields,
  inPath,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "../styles.ts";

export type Thing = Readonly<Record<string, unknown>>;
export type Paths = Readonly<Record<string, object>>;

export const THING = fields({ id: TEXT, name: TEXT }, ["id", "name"]);
export const things = (letter: string, count = 9): Thing[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${letter}${index}`,
    name: `${letter} ${index}`,
  }));
export const inQuery = (name: string, schema: object = TEXT) => ({ in: "query", name, schema });
export const listing = (id: string, rows: object, more: object = {}) => ({
  ...operation(id, { 200: fields({ items: listOf(rows as Thing) }, ["items"]) }),
  ...more,
});
export const getting = (id: string, thing: object = THING, name = "id") => ({
  ...operation(id, { 200: thing as Thing }),
  parameters: [inPath(name)],
});
export const summarise = async (
  paths: Paths,
  reply: (asked: Asked) => Reply,
  more: Checked = {},
) => {
  const { verdict, findings, observations, reason } = await check(paths, reply, more);
  return {
    verdict,
    reason,
    findings: findings.map(({ requirement, operation: id }) => `${requirement} ${id}`),
    observed: observations.map(({ requirement, observed }) => `${requirement}: ${observed}`),
  };
};
export const KEPT = { verdict: "kept", reason: undefined, findings: [] };

/** Collections of things by their path, each thing below its key. */
export const serve =
  (
    all: Readonly<Record<string, readonly Thing[]>>,
    change = (reply: Reply, _asked: Asked): Reply => reply,
  ) =>
  (asked: Asked): Reply => {
    if (!isSignedIn(asked)) return SIGN_IN;
    const { steps, method } = asked;
    if (method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
    const whole = all[steps.join("/")];
    if (whole !== undefined) return change({ status: 200, body: { items: whole } }, asked);
    const one = all[steps.slice(0, -1).join("/")]?.find(({ id }) => id === steps.at(-1));
    return one === undefined
      ? { status: 404, body: {} }
      : change({ status: 200, body: one }, asked);
  };

/** Pages by their number. */
export function toPage(reply: Reply, { query }: Asked): Reply {
  const { items } = reply.body as { items: readonly Thing[] };
  const [number, size] = ["page", "limit"].map((name) => Number(query.get(name) ?? 1));
  if (!(Number(number) > 0 && Number(size) > 0 && Number(size) <= 50))
    return { status: 400, body: {} };
  const from = (Number(number) - 1) * Number(size);
  return { ...reply, body: { items: items.slice(from, from + Number(size)) } };
}

export const THINGS: Paths = {
  "/things": { get: listing("listThings", THING) },
  "/things/{id}": { get: getting("getThing") },
};
