// The tests of a model service's drifts: each is seen by a client, and a variant keeps the document.
import { expect, test } from "vitest";
import { startModelService } from "./command.ts";
import { createDocumentCheck } from "./document-check.ts";
import type { Drift } from "./drift.ts";
import { type Callers, play, type Received } from "./play.ts";
import type { Service } from "./service.ts";

export interface DriftTests<State> {
  /** By their kinds. */
  readonly mutants: readonly (readonly Drift<State>[])[];
  readonly variants: readonly Drift<State>[];
  /** Mutants that break a schema, a status or a header of the document. One response shows each of them. */
  readonly undocumented: readonly Drift<State>[];
  readonly callers: Callers;
  readonly createState: () => State;
  readonly createService: (state: State) => Service;
  /** The OpenAPI document. */
  readonly document: string;
  /** Lines of `play` over all operations. */
  readonly walk: readonly string[];
}

/** HTTP's own: the document need not name them. */
const UNDOCUMENTED = /^status (?:401|405) is not documented$/;

/** In `test` one drift stands for those of its kind. */
const MOST_OF_A_KIND = process.env["CALL_MEDIA_TIER"] === "test" ? 1 : Infinity;

const choose = <State>(kinds: readonly (readonly Drift<State>[])[]) =>
  kinds.flatMap((kind) => kind.slice(0, MOST_OF_A_KIND));

export function describeDrifts<State>(tests: DriftTests<State>): void {
  const { callers, document, walk } = tests;
  const variants = choose([tests.variants]);
  const playTo = async (drift: Drift<State> | undefined, lines: readonly string[]) => {
    await using service = await startModelService(tests, drift);
    return await play(service.baseUrl, callers, lines);
  };

  test("ids are given once", () => {
    const ids = [...tests.mutants.flat(), ...tests.variants].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test.each([...choose(tests.mutants), ...variants])(
    "$id changes what a client sees",
    async (drift) => {
      const [clean, drifted] = [
        await playTo(undefined, drift.reveal),
        await playTo(drift, drift.reveal),
      ];
      expect(drifted.map(toSeen)).not.toEqual(clean.map(toSeen));
    },
  );

  const { check } = createDocumentCheck(document);
  const findFaults = async (drift: Drift<State>, lines: readonly string[]) =>
    (await playTo(drift, lines)).flatMap((reply) =>
      check(reply)
        .faults.filter((fault) => !UNDOCUMENTED.test(fault))
        .map((fault) => `${reply.line}: ${fault}`),
    );

  test.each(variants)("$id keeps the document", async (variant) => {
    expect(await findFaults(variant, [...variant.reveal, ...walk])).toEqual([]);
  });

  test.each(choose([tests.undocumented]))("$id breaks the document", async (mutant) => {
    expect(await findFaults(mutant, mutant.reveal)).not.toEqual([]);
  });
}

function toSeen({ line, status, headers, body }: Received) {
  return { line, status, headers, body: body.toString("latin1") };
}
