// What a user may not see leaves no trace: every answer is byte for byte that of an archive in which it never was.
import * as fc from "fast-check";
import type { UserRecord } from "@call-media/store";
import { expect, test } from "vitest";
import { type FacedService, signIn, toText } from "./face.ts";
import { toSeen } from "./rights-model.ts";
import {
  expectAlways,
  type Question,
  question,
  searchByWords,
  SEED,
  toSent,
} from "./rights-questions.ts";
import { type Variant, VARIANTS, vary } from "./rights-variants.ts";
import { fill, type World, world } from "./rights-world.ts";

const any = fc.oneof({ weight: 4, arbitrary: question }, searchByWords);
const asked = fc.tuple(any, fc.constantFrom({}, ...VARIANTS), fc.nat(1));
const questions = fc.array(asked, { minLength: 60, maxLength: 60 });
const callers = fc.nat(5);

type Start = () => Promise<FacedService>;

/** `worlds`: how many random archives are made. */
export function describeRightsTwin(start: Start, worlds: number): void {
  test(`an archive without what is hidden answers the same (seed ${SEED})`, async () => {
    const check = (...given: readonly [World, readonly Asked[], number]) =>
      checkTwin(start, ...given);
    await expectAlways(fc.asyncProperty(world, questions, callers, check), worlds);
  });
}

type Asked = readonly [Question, Variant, number];

async function checkTwin(
  start: Start,
  given: World,
  all: readonly Asked[],
  caller: number,
): Promise<void> {
  const active = given.users.filter(({ status }) => status === 1);
  const user = active[caller % active.length];
  if (user === undefined) return;
  await using service = await start();
  await using twin = await start();
  await Promise.all([fill(service, given), fill(twin, toReleased(given, user))]);
  const [key, twinKey] = [await signIn(service, user), await signIn(twin, user)];
  const checks = all.map(async ([one, variant, pageIndex]) => {
    const sent = vary(toSent(one, pageIndex), variant);
    const face = await service.face(key, sent);
    const expected = await twin.face(twinKey, sent);
    expect(toText(face), JSON.stringify(sent)).toBe(toText(expected));
  });
  await Promise.all(checks);
}

// Where nothing may be fetched, not even the 403 may tell whether there is anything.
function toReleased(given: World, user: UserRecord): World {
  const seen = toSeen(given, user);
  if (user.allow_download) return seen;
  return { ...seen, calls: seen.calls.map((call) => ({ ...call, files: [] })) };
}
