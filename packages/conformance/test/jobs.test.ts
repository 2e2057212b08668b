// What a creation answers may be about a job: nothing is changed at a key until a GET shows there what was sent.
import { expect, test } from "vitest";
import {
  type Asked,
  check,
  fields,
  inPath,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "./styles.ts";

interface Queue {
  readonly status: 200 | 201 | 202;
  /** What the thing has: a name that a check makes up, or only a choice that others have, too. */
  readonly takes: object;
  readonly isListed: boolean;
}

/** Creations are queued: what comes back is the number of the job, and the things of others have the same numbers. */
function serve({ status, takes, isListed }: Queue) {
  const number = { type: "integer" };
  const thing = fields({ id: number, ...takes }, ["id"]);
  const job = fields({ id: number, state: TEXT }, ["id"]);
  const one = { parameters: [inPath("id", number)] };
  const paths = {
    "/parcels": {
      ...(isListed && { get: operation("listParcels", { 200: listOf(thing) }) }),
      post: operation("addParcel", { [status]: job }, fields({ ...takes }, Object.keys(takes))),
    },
    "/parcels/{id}": {
      ...one,
      get: operation("getParcel", { 200: thing }),
      put: operation("putParcel", { 200: thing }, fields({ ...takes }, Object.keys(takes))),
      delete: operation("deleteParcel", { 204: null }),
    },
    "/parcels/{id}/items": {
      ...one,
      post: operation("addItem", { 201: job }, fields({ note: TEXT })),
    },
  };
  const touched: string[] = [];
  let jobs = 0;
  const others = Object.fromEntries(
    Object.keys(takes).map((name) => [name, name === "kind" ? "open" : "another's"]),
  );
  const reply = (asked: Asked): Reply => {
    const { method, steps } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const [, id] = steps;
    if (id === undefined && method === "POST")
      return { status, body: { id: (jobs += 1), state: "queued" } };
    // The rows of others are on pages that nobody reads.
    if (id === undefined && method === "GET" && isListed) return { status: 200, body: [] };
    if (id === undefined) return { status: 405, body: {}, headers: { allow: "GET, HEAD, POST" } };
    if (["POST", "PUT", "PATCH", "DELETE"].includes(method))
      touched.push(`${method} /${steps.join("/")}`);
    return { status: 200, body: { id: Number(id), ...others } };
  };
  return { paths, reply, touched };
}

const NAMED = { name: { ...TEXT, minLength: 1 } };
const CHOICE = { kind: { type: "string", enum: ["open"] } };
const LIFE = {
  lifecycle: {
    of: "addParcel",
    read: "getParcel",
    update: "putParcel",
    delete: "deleteParcel",
  },
};

const QUEUES: readonly Queue[] = [
  { status: 200, takes: NAMED, isListed: true },
  { status: 200, takes: CHOICE, isListed: false },
  { status: 201, takes: NAMED, isListed: false },
  { status: 201, takes: CHOICE, isListed: true },
  { status: 202, takes: NAMED, isListed: true },
  { status: 202, takes: CHOICE, isListed: false },
];

test.each(QUEUES)("nothing is changed at the number of a job: $status, $takes", async (queue) => {
  const { paths, reply, touched } = serve(queue);
  const report = await check(paths, reply, { mayWrite: true, rules: [LIFE] });
  expect(touched).toEqual([]);
  expect(report.left.map((one) => one.operation)).toContain("addParcel");
});
