// Very many sign-ins, good and bad: reads go on meanwhile, and neither memory nor the table of tokens grows with them.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createListener, listen } from "@call-media/server";
import { openStore } from "@call-media/store/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { makeDemoArchive } from "./support/archive.ts";
import { createQuestions } from "./support/questions.ts";
import { toNumber } from "./support/scale.ts";
import { ask } from "./support/serving.ts";

const SIGN_INS = toNumber("SIGN_INS", { short: 200, long: 10_000 });

// So many days pass meanwhile; a token is forgotten a week after it has expired.
const DAYS = 28;
const DAY_MS = 86_400_000;
const KEPT_DAYS = 7;
const STEP_MS = (DAYS * DAY_MS) / SIGN_INS;

// Room for what V8 and SQLite keep for themselves; a kilobyte kept of each sign-in would be twice as much.
const ALLOWED_GROWTH_BYTES = Math.max(5_000_000, SIGN_INS * 500);

test(`${SIGN_INS} sign-ins, every second one wrong`, async () => {
  const archive = await makeDemoArchive();
  let clockMs = Date.now();
  const now = () => clockMs;
  const store = await openStore({ directory: archive.directory, now });
  const service = createListener({ store, now });
  const { baseUrl, close } = await listen(service, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await close();
    await store[Symbol.asyncDispose]();
  });
  const { metadata, signIn } = createQuestions(baseUrl, archive);
  const signInWrongly = (n: number) =>
    ask(`${baseUrl}/Token`, { json: { secretID: `nobody ${n}`, secretKey: "wrong" } });

  let usedBytes = 0;
  for (let n = 0; n < SIGN_INS; n += 2) {
    clockMs += 2 * STEP_MS;
    const replies = await Promise.all([signIn(), metadata(), signInWrongly(n), metadata()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 401, 200]);
    // By then all that is made once has been made.
    if (n === 2 * Math.floor(SIGN_INS / 8)) usedBytes = measureUsed();
  }

  expect(measureUsed() - usedBytes).toBeLessThan(ALLOWED_GROWTH_BYTES);
  const tokens = countTokens(archive.directory);
  expect(tokens).toBeGreaterThan(0);
  expect(tokens).toBeLessThan((SIGN_INS / 2) * ((KEPT_DAYS + 1) / DAYS));
});

function countTokens(directory: string): number {
  using database = new DatabaseSync(join(directory, "access.db"), { readOnly: true });
  const row = database.prepare("SELECT count(*) AS n FROM bearer WHERE kind = 'token'").get();
  return Number(row?.["n"]);
}

/** Bytes that are still reachable. */
function measureUsed(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
