// What is held, due or owed an erasure leaves no trace: every answer is byte for byte that of an archive without holds and policy (D43).
import * as fc from "fast-check";
import type { CallStore } from "@call-media/store";
import { expect, test } from "vitest";
import type { FacedService } from "./face.ts";
import { expectAlways, SEED } from "./rights-questions.ts";
import { CALL_IDS, fill, world } from "./rights-world.ts";
import { caller, expectTwins, questions } from "./twins.ts";

/** `worlds`: how many random archives are made. */
export function describeHoldsTwin(start: () => Promise<FacedService>, worlds: number): void {
  test(`nobody who asks can tell a held, due or owed call from another (seed ${SEED})`, async () => {
    const property = fc.asyncProperty(world, questions, caller, async (given, all, toCaller) => {
      const user = toCaller(given);
      if (user === undefined) return;
      await using service = await start();
      await using twin = await start();
      await Promise.all([fill(service, given), fill(twin, given)]);
      await holdAndOwe(service.store);
      await expectTwins({ service, twin }, user, all);
    });
    await expectAlways(property, worlds);
  });
}

/** All calls are due by the policy; those with an identifier are held by it, half of them are owed an erasure, and many fit a query. */
async function holdAndOwe({ maintenance }: CallStore): Promise<void> {
  const { holds, internals } = maintenance;
  const by = { operator: "olive", operation: "hold add" } as const;
  const add = (name: string, what: Parameters<typeof holds.add>[0]["holds"]) =>
    holds.add({ name, reason: "litigation", holds: what }, by);
  await add("named", { callIds: CALL_IDS });
  await add("days", { fromDay: "2026-02-02" });
  await add("words", { words: "refund" });
  const policy = { retention: 1, otherwise: { keep: "1 day" }, rules: [] };
  await internals.write([{ kind: "setting", name: "policy", value: JSON.stringify(policy) }]);
  const half = CALL_IDS.filter((_, index) => index % 2 === 0);
  const report = await maintenance.erase(
    { callIds: half },
    { operator: "olive", case: "GDPR-118" },
  );
  expect(report).toMatchObject({ calls: 0, chats: 0 });
  await holds.release("words");
}
