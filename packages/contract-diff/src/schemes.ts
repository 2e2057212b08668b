// The security schemes of two documents. Clients depend on what the schemes require, not on their names.
import { toList, toObject, type Place } from "./json.ts";
import { bothOf, type Pair } from "./pairs.ts";
import type { Part } from "./parts.ts";
import { children, path } from "./places.ts";
import { isSame } from "./same.ts";

type Side = "before" | "after";

export class Schemes {
  readonly #defined: Readonly<Record<Side, ReadonlyMap<string, Place>>>;
  /** The schemes that operations require, by their names in the earlier document. */
  readonly #asked = { before: new Set<string>(), after: new Set<string>() };

  constructor(before: Place, after: Place) {
    const [old, now] = [before, after].map(
      (root) => new Map(children(path(root, "components", "securitySchemes"))),
    );
    this.#defined = { before: old ?? new Map(), after: now ?? new Map() };
  }

  /** The requirements of an operation, with the names of the earlier document. */
  ask(side: Side, security: unknown): unknown[] {
    return toList(security).map((alternative) =>
      Object.fromEntries(
        Object.entries(toObject(alternative)).map(([name, scopes]) => {
          const known = side === "before" ? name : this.#toEarlierName(name);
          this.#asked[side].add(known);
          return [known, scopes];
        }),
      ),
    );
  }

  /** A scheme that no operation requires concerns no client. If only one document requires it, the rule on operations reports that. */
  *pairs(): Generator<Pair<Part>> {
    for (const [name, after] of this.#defined.after) {
      const known = this.#toEarlierName(name);
      const both = bothOf({ before: this.#defined.before.get(known), after });
      const isAsked = this.#asked.before.has(known) && this.#asked.after.has(known);
      if (both === undefined || !isAsked) continue;
      const [old, now] = both;
      const role = { kind: "scheme", name: `scheme ${known}`, direction: "request" } as const;
      yield { before: { ...old, ...role }, after: { ...now, ...role } };
    }
  }

  #toEarlierName(name: string): string {
    const { before, after } = this.#defined;
    const scheme = after.get(name);
    if (scheme === undefined || before.has(name)) return name;
    const earlier = [...before].find(([old, known]) => !after.has(old) && isSame(known, scheme));
    return earlier?.[0] ?? name;
  }
}
