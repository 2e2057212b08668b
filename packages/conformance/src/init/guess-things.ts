// Guesses of things: what a list shows of one, its life from creation to deletion, and its bytes.
import { itemOperation } from "../relations/shape.ts";
import type { Choice, Known } from "./known.ts";

/** A thing below a list is what the list shows of it. */
export function* guessSame({ document, operation }: Known): Generator<Choice> {
  const below = itemOperation(document, operation);
  if (below !== undefined) yield [{ kind: "sameAs", fields: { of: below.id, as: operation.id } }];
}

/** POST and GET at a collection; GET, PATCH, PUT or POST, and DELETE below it. */
export function* guessLives({ document, operation }: Known): Generator<Choice> {
  const { id, method, path } = operation;
  if (method !== "POST") return;
  const all = [...document.operations.values()];
  const list = all.find((one) => one.method === "GET" && one.path === path);
  const below = all.filter(
    (one) => one.path.startsWith(`${path}/{`) && /^\/\{[^}/]+\}$/.test(one.path.slice(path.length)),
  );
  const by = (...methods: readonly string[]) =>
    below.find((one) => methods.includes(one.method))?.id;
  const [read, update, remove] = [by("GET"), by("PATCH", "PUT") ?? by("POST"), by("DELETE")];
  if (read === undefined) return;
  const life = {
    of: id,
    read,
    ...(update !== undefined && { update }),
    ...(remove !== undefined && { delete: remove }),
    ...(list !== undefined && { list: list.id }),
  };
  yield [{ kind: "lifecycle", fields: life }];
  yield [{ kind: "echo", fields: { of: id, body: "all" } }];
}

/** What is answered in bytes, and not in text of a known form. */
export function* guessBytes({ operation: { id, method, responses } }: Known): Generator<Choice> {
  const media = responses.find(({ status }) => status.startsWith("2"))?.media ?? [];
  const isBytes = media.length > 0 && media.every(({ type }) => !/json|text|xml|html/i.test(type));
  if (method === "GET" && isBytes) yield [{ kind: "bytes", fields: { of: id } }];
}
