// What a run created is deleted again at its end, last first, where the document has a DELETE for it; the rest is named.
import type { Answer, Ask } from "./ask.ts";
import type { Operation } from "./document/document.ts";
import { Ended } from "./http/sender.ts";
import type { Left } from "./report.ts";
import { type Run, toFields } from "./run.ts";
import { at, toText } from "./values/places.ts";

/** `send`: what is not bounded by the budget of the check, which may be used up by now. */
export async function cleanUp(
  run: Run,
  send: (ask: Ask) => Promise<Answer>,
): Promise<readonly Left[]> {
  const left: { operation: string; what: string; why: string }[] = [];
  const gone = new Set(run.deleted);
  for (const creation of run.created.toReversed()) {
    const removal = toRemoval(run, creation);
    const what = removal === undefined ? showMade(run, creation) : toPath(run, removal);
    const why =
      removal === undefined
        ? "the document has no DELETE for it"
        : gone.has(what)
          ? undefined
          : await remove(removal, send);
    if (removal !== undefined) gone.add(what);
    if (why !== undefined) left.push({ operation: creation.operation.id, what, why });
  }
  const groups = Map.groupBy(left, ({ operation, why }) => `${operation} ${why}`);
  return [...groups.values()].map((group) => ({
    operation: group[0]?.operation ?? "",
    why: group[0]?.why ?? "",
    what: group.map(({ what }) => what),
  }));
}

/** @returns why it is still there. */
async function remove(
  removal: Ask,
  send: (ask: Ask) => Promise<Answer>,
): Promise<string | undefined> {
  try {
    const { isSuccess, status } = await send(removal);
    return isSuccess || status === 404 || status === 410
      ? undefined
      : `DELETE is answered ${status}`;
  } catch (error) {
    if (error instanceof Ended) return error.message;
    throw error;
  }
}

/** The request that deletes it, by the caller who created it. */
function toRemoval(run: Run, { operation, ask, json, headers }: Answer): Ask | undefined {
  const removal = findDelete(run, operation);
  if (removal === undefined) return undefined;
  const caller = ask.caller === undefined ? {} : { caller: ask.caller };
  const names = removal.parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const path = { ...ask.path, ...fromLocation(removal, headers.get("Location")) };
  const last = names.at(-1) ?? "";
  const key = path[last] ?? keyOf(run, operation, [last, json]);
  return names.some((name) => name !== last && path[name] === undefined) || key === undefined
    ? undefined
    : { operation: removal.id, path: { ...path, [last]: key }, ...caller };
}

/** That of its `lifecycle`, at its own address (PUT), or one step below it (POST). */
function findDelete(run: Run, { id, path, method }: Operation): Operation | undefined {
  const told = run.ruleOf("lifecycle", id)?.delete;
  if (told !== undefined) return run.operation(told);
  return [...run.document.operations.values()].find(
    (one) =>
      one.method === "DELETE" &&
      (method === "PUT"
        ? one.path === path
        : one.path.startsWith(`${path}/{`) && one.path.indexOf("/", path.length + 1) < 0),
  );
}

/** Path parameters, where the Location is an address that the document knows. */
function fromLocation({ path }: Operation, location: string | null): Record<string, string> {
  if (location === null) return {};
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const escaped = path.replaceAll(/\{[^}]+\}|[.*+?^$()|[\]\\]/g, (one) =>
    one.startsWith("{") ? "([^/]+)" : `\\${one}`,
  );
  const [, ...values] = new RegExp(`${escaped}$`).exec(location.split(/[?#]/, 1)[0] ?? "") ?? [];
  return Object.fromEntries(
    values.flatMap((value, index) => {
      const name = names[index];
      return name === undefined ? [] : [[name, decodeURIComponent(value)]];
    }),
  );
}

/** By the name of the parameter, as its list has it, or `id`; in the answer or in an envelope around what was created. */
function keyOf(
  run: Run,
  { id }: Operation,
  [name, json]: readonly [string | undefined, unknown],
): unknown {
  const { list } = run.ruleOf("lifecycle", id) ?? {};
  const listed = list === undefined ? undefined : run.listInfo(list)?.key[0];
  const values = [json, ...Object.values(toFields(json))];
  return [name, listed, "id"]
    .flatMap((one) => (one === undefined ? [] : values.map((value) => at(value, one))))
    .find((key) => typeof key === "string" || typeof key === "number");
}

const toPath = (run: Run, { operation, path = {} }: Ask): string =>
  run
    .operation(operation)
    .path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(toText(path[name])));

/** Its address, or what tells somebody who looks for it which one it is. */
function showMade(run: Run, { headers, json, ask, operation }: Answer): string {
  const location = headers.get("Location");
  if (location !== null) return location;
  const key = keyOf(run, operation, [undefined, json]);
  if (key !== undefined) return `${toPath(run, ask)}/${toText(key)}`;
  const [name, value] =
    Object.entries(toFields(json)).find(
      ([one, inner]) => /id$/i.test(one) && typeof inner !== "object",
    ) ?? [];
  return name === undefined ? toPath(run, ask) : `${name} ${String(value)}`;
}
