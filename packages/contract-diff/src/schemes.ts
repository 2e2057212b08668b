// The security schemes of a document, under the names that they have in the earlier one: a client knows them by what they ask.
import { toList, toObject, type Place } from "./json.ts";
import type { Part, Surface } from "./parts.ts";
import { children, path } from "./places.ts";
import { isSame } from "./same.ts";

export class Schemes {
  readonly #earlier: readonly Part[];
  readonly #defined: ReadonlyMap<string, Place>;
  /** Those that operations ask for. */
  readonly #asked = new Set<string>();

  constructor(root: Place, earlier: Surface) {
    this.#earlier = [...earlier.values()].filter(({ kind }) => kind === "scheme");
    this.#defined = new Map(children(path(root, "components", "securitySchemes")));
  }

  /** What an operation asks for. */
  ask(security: unknown): unknown[] {
    return toList(security).map((alternative) => {
      const needs = Object.entries(toObject(alternative));
      for (const [name] of needs) this.#asked.add(name);
      return Object.fromEntries(needs.map(([name, scopes]) => [this.#toName(name), scopes]));
    });
  }

  /** What nobody asks for concerns no client. */
  *parts(): Generator<Part> {
    for (const name of this.#asked) {
      const scheme = this.#defined.get(name);
      const called = `scheme ${this.#toName(name)}`;
      if (scheme) yield { ...scheme, kind: "scheme", name: called, direction: "request" };
    }
  }

  #toName(name: string): string {
    const own = this.#defined.get(name);
    const names = this.#earlier.map((part) => part.name.slice("scheme ".length));
    if (own === undefined || names.includes(name)) return name;
    const isIt = (part: Part, at: number) =>
      !this.#defined.has(names[at] ?? "") && isSame(part, own);
    return names[this.#earlier.findIndex(isIt)] ?? name;
  }
}
