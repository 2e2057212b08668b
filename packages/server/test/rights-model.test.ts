// Every read, count and page over HTTP is what the model makes of D20 to D22, whatever the records, users and questions.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ask, type Face, headerOf, signIn } from "./support/face.ts";
import { answer, type Expected, toSeen } from "./support/rights-model.ts";
import { expectAlways, type Question, question, SEED, toSent } from "./support/rights-questions.ts";
import { contentOf, fill, revise, type World, world } from "./support/rights-world.ts";
import { startTestService, type TestService } from "./support/service.ts";

const PAGE_SIZE = 50;
const questions = fc.array(question, { minLength: 30, maxLength: 30 });

test(`answers are those of the model (seed ${SEED})`, { timeout: 120_000 }, async () => {
  await expectAlways(fc.asyncProperty(world, questions, world, questions, checkWorld), 5);
});

async function checkWorld(first: World, asked: Question[], other: World, askedAgain: Question[]) {
  await using service = await startTestService();
  await fill(service, first);
  const keys = await Promise.all(first.users.map((user) => signIn(service, user)));
  const check = async (given: World, all: readonly Question[]) => {
    const checks = given.users.map(async (user, index) => {
      const seen = toSeen(given, user);
      for (const one of all) {
        const expected = answer(seen, user, one);
        await checkAnswer({ service, key: keys[index] ?? "", question: one, expected });
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

interface Check {
  readonly service: TestService;
  readonly key: string;
  readonly question: Question;
  readonly expected: Expected;
}

async function checkAnswer({ service, key, question: asked, expected }: Check) {
  const face = await ask(service.baseUrl, key, toSent(asked));
  expect(face.status, JSON.stringify(asked)).toBe(expected.status);
  if ("file" in expected) checkFile(face, expected.file.filename);
  else if (!("data" in expected)) expect(JSON.parse(String(face.body)).data).toEqual([]);
  else if (asked.ask === "search")
    await checkPages(expected.data, (pageIndex) =>
      ask(service.baseUrl, key, toSent(asked, pageIndex)),
    );
  else
    expect(JSON.parse(String(face.body)), JSON.stringify(asked)).toEqual({
      isError: false,
      errorMessage: null,
      data: expected.data,
    });
}

function checkFile(face: Face, filename: string) {
  const content = contentOf(filename);
  if (headerOf(face, "Content-Type")?.startsWith("application/json") === true) {
    const data = { success: true, filename, base64: content.toString("base64") };
    expect(JSON.parse(String(face.body))).toEqual({ isError: false, errorMessage: null, data });
    return;
  }
  const name = headerOf(face, "Content-Disposition")?.replaceAll('"', "");
  expect(name).toBe(`attachment; filename=${filename}`);
  expect(face.body).toEqual(content);
}

// One page past the end as well.
async function checkPages(records: readonly unknown[], read: (pageIndex: number) => Promise<Face>) {
  for (let first = 0; first <= records.length; first += PAGE_SIZE) {
    const pageIndex = first / PAGE_SIZE;
    const face = await read(pageIndex);
    const page = JSON.parse(String(face.body));
    const data = records.slice(first, first + PAGE_SIZE);
    expect(page.data).toEqual(data);
    expect(headerOf(face, "Link")?.includes(`pageIndex=${pageIndex + 1}&`) ?? false).toBe(
      records.length > first + PAGE_SIZE,
    );
    const range = data.length === 0 ? "*" : `${first}-${first + data.length - 1}`;
    if ("recordCount" in page)
      expect(page).toMatchObject({ pageID: pageIndex, recordCount: records.length });
    else expect(headerOf(face, "Content-Range")).toBe(`records ${range}/${records.length}`);
  }
}
