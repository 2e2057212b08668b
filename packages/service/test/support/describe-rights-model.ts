// Every read, count and page is what the model makes of D20 to D22, whatever the records, users and questions.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type FacedService, signIn } from "./face.ts";
import { expectAnswer } from "./rights-check.ts";
import { answer, toSeen } from "./rights-model.ts";
import { expectAlways, type Question, question, SEED } from "./rights-questions.ts";
import { type Call, fill, revise, type World, world } from "./rights-world.ts";
import { ALLOWED_ALL, toCall, toUser } from "./records.ts";

const questions = fc.array(question, { minLength: 30, maxLength: 30 });

type Start = () => Promise<FacedService>;

/** `worlds`: how many random archives are made. */
export function describeRightsModel(start: Start, worlds: number): void {
  test(`answers are those of the model (seed ${SEED})`, async () => {
    const check = (...given: readonly [World, Question[], World, Question[]]) =>
      checkWorld(start, ...given);
    await expectAlways(fc.asyncProperty(world, questions, world, questions, check), worlds);
  });

  test.each([50, 51, 100])(
    "pages of %i records that are seen end with the last of them, whatever is hidden around them",
    async (seen) => {
      const user = toUser({
        ...ALLOWED_ALL,
        id: 1,
        username: "limited",
        allow_all_campaigns: false,
        allowed_campaigns: ["Listed"],
      });
      const calls = [...Array(seen + 40).keys()].map((n): Call => {
        const campaign = n >= 20 && n < seen + 20 ? "Listed" : "Other";
        const { record } = toCall({ notes: String(n), campaign, datetime: "2026-02-01T09:00:00Z" });
        return { record, sessionId: undefined, masterId: undefined, files: [] };
      });
      const given: World = { calls, chats: [], users: [user], flags: [] };
      await using service = await start();
      await fill(service, given);
      const key = await signIn(service, user);
      const days = ["2026-02-01", "2026-02-01"] as const;
      for (const asked of [
        { ask: "search", at: "by-custom-fields", filter: {}, days },
        { ask: "search", at: "search", filter: { campaign: "listed" }, days },
      ] as const) {
        const expected = answer(toSeen(given, user), user, asked);
        expect(expected).toHaveProperty("data.length", seen);
        await expectAnswer({ service, key, question: asked, expected });
      }
    },
  );
}

async function checkWorld(
  start: Start,
  first: World,
  asked: readonly Question[],
  other: World,
  askedAgain: readonly Question[],
) {
  await using service = await start();
  await fill(service, first);
  const keys = await Promise.all(first.users.map((user) => signIn(service, user)));
  const check = async (given: World, all: readonly Question[]) => {
    const checks = given.users.map(async (user, index) => {
      const seen = toSeen(given, user);
      for (const one of all) {
        const expected = answer(seen, user, one);
        await expectAnswer({ service, key: keys[index] ?? "", question: one, expected });
      }
    });
    await Promise.all(checks);
  };
  await check(first, asked);
  // The same users under other rights, the same calls with other values: nothing of before may still count.
  const revised = revise(first, other);
  await fill(service, revised);
  await check(revised, askedAgain);
  expect(service.failures).toEqual([]);
}
