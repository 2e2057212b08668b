// The requests of the fuzz: right, nearly right, and hostile ones, in proportions that reach every part of the service.
import * as fc from "fast-check";
import type { Known } from "./known.ts";
import { createMaterial, type Mutation, MUTATIONS } from "./mutations.ts";
import type { Probe } from "./probe.ts";
import { createRightProbes } from "./right-probes.ts";

export function createProbes(known: Known): fc.Arbitrary<Probe> {
  const right = createRightProbes(known);
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 5, arbitrary: mutate(right, "nearly right", 2) },
    { weight: 2, arbitrary: mutate(right, "hostile", 8) },
    { weight: 1, arbitrary: createArbitraryProbe() },
  );
}

function mutate(
  right: fc.Arbitrary<Probe>,
  kind: Probe["kind"],
  maxLength: number,
): fc.Arbitrary<Probe> {
  const mutations: readonly Mutation[] = Object.values(MUTATIONS);
  const changes = fc.array(fc.tuple(fc.constantFrom(...mutations), createMaterial()), {
    minLength: 1,
    maxLength,
    size: "max",
  });
  return fc.tuple(right, changes).map(([probe, list]) =>
    list.reduce<Probe>((changed, [mutation, material]) => mutation(changed, material), {
      ...probe,
      kind,
    }),
  );
}

/** Any request that an HTTP client can send. */
function createArbitraryProbe(): fc.Arbitrary<Probe> {
  const bytes = (from: number, maxLength: number) =>
    fc.string({
      unit: fc
        .integer({ min: from, max: 0xff })
        .filter((byte) => byte !== 0x7f)
        .map((byte) => String.fromCharCode(byte)),
      maxLength,
    });
  const token = fc
    .stringMatching(/^[A-Za-z][A-Za-z-]{0,20}$/)
    .filter((name) => !FRAMING.test(name));
  return fc.record({
    kind: fc.constant("hostile" as const),
    method: fc.constantFrom("GET", "POST", "HEAD", "OPTIONS", "PUT"),
    target: bytes(0x21, 80).map((path) => `/${path}`),
    headers: fc.array(fc.tuple(token, bytes(0x20, 80)), { maxLength: 8 }),
    body: fc.option(fc.uint8Array({ maxLength: 400 }), { nil: undefined }),
  });
}

// What an HTTP client decides itself; the raw requests are wrong there.
const FRAMING =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|host|trailer|te|expect)$/i;
