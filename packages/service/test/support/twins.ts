// Two archives that nobody who asks may tell apart: each answer of one is byte for byte that of the other.
import * as fc from "fast-check";
import type { UserRecord } from "@call-media/store";
import { expect } from "vitest";
import { type FacedService, signIn, toText } from "./face.ts";
import { type Question, question, searchByWords, toSent } from "./rights-questions.ts";
import { type Variant, VARIANTS, vary } from "./rights-variants.ts";
import type { World } from "./rights-world.ts";

type Asked = readonly [Question, Variant, number];

const any = fc.oneof({ weight: 4, arbitrary: question }, searchByWords);
const asked = fc.tuple(any, fc.constantFrom({}, ...VARIANTS), fc.nat(1));
export const questions = fc.array(asked, { minLength: 60, maxLength: 60 });

/** Who asks; undefined if nobody may. */
export const caller = fc.nat(5).map((index) => ({ users }: World): UserRecord | undefined => {
  const active = users.filter(({ status }) => status === 1);
  return active[index % active.length];
});

export interface Twins {
  readonly service: FacedService;
  readonly twin: FacedService;
}

export async function expectTwins(
  { service, twin }: Twins,
  user: UserRecord,
  all: readonly Asked[],
): Promise<void> {
  const [key, twinKey] = [await signIn(service, user), await signIn(twin, user)];
  const checks = all.map(async ([one, variant, pageIndex]) => {
    const sent = vary(toSent(one, pageIndex), variant);
    const face = await service.face(key, sent);
    const expected = await twin.face(twinKey, sent);
    expect(toText(face), JSON.stringify(sent)).toBe(toText(expected));
  });
  await Promise.all(checks);
}
