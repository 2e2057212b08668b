// What a user may not see leaves no trace: every answer is byte for byte that of an archive in which it never was.
import * as fc from "fast-check";
import type { UserRecord } from "@call-media/store";
import { test } from "vitest";
import type { FacedService } from "./face.ts";
import { toSeen } from "./rights-model.ts";
import { expectAlways, SEED } from "./rights-questions.ts";
import { fill, type World, world } from "./rights-world.ts";
import { caller, expectTwins, questions } from "./twins.ts";

/** `worlds`: how many random archives are made. */
export function describeRightsTwin(start: () => Promise<FacedService>, worlds: number): void {
  test(`an archive without what is hidden answers the same (seed ${SEED})`, async () => {
    const property = fc.asyncProperty(world, questions, caller, async (given, all, toCaller) => {
      const user = toCaller(given);
      if (user === undefined) return;
      await using service = await start();
      await using twin = await start();
      await Promise.all([fill(service, given), fill(twin, toReleased(given, user))]);
      await expectTwins({ service, twin }, user, all);
    });
    await expectAlways(property, worlds);
  });
}

// Where nothing may be fetched, not even the 403 may tell whether there is anything.
function toReleased(given: World, user: UserRecord): World {
  const seen = toSeen(given, user);
  if (user.allow_download) return seen;
  return { ...seen, calls: seen.calls.map((call) => ({ ...call, files: [] })) };
}
