// Requests made from the document, right, nearly right and hostile: whatever is asked, the answer is one that the document has.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createAnswerCheck, createEnvelopeCheck } from "./fuzz/answer-check.ts";
import { startFuzzedService } from "./fuzz/fuzzed-service.ts";
import { toCurl } from "./fuzz/probe.ts";
import { createProbes } from "./fuzz/probes.ts";
import { createRawRequests, parseAnswers, sendRaw } from "./fuzz/raw.ts";
import { createTally, describeBytes, expectNoneFound } from "./fuzz/report.ts";
import { createSender } from "./fuzz/send.ts";
import { toNumber } from "./support/scale.ts";

const REQUESTS = toNumber("FUZZ_REQUESTS", { short: 20_000, long: 150_000 });

// Always the same, so that CI says the same of the same sources; the other one finds what is new.
const FIXED_SEED = 20_260_301;
const now = Date.now() % 1e9;
const SEED = toNumber("FUZZ_SEED", { short: now, long: now });

// What a fuzz does not reach, it does not prove: the statuses that it has to meet.
const REACHED = [200, 204, 206, 304, 400, 401, 403, 404, 405, 406, 413, 414, 415, 416, 431];
const RAW_REACHED = [200, 400, 401, 405, 415, 431];

const SEEDS = [
  {
    name: "the fixed seed",
    seed: FIXED_SEED,
    requests: REQUESTS,
    reached: REACHED,
    rawReached: RAW_REACHED,
  },
  {
    name: "a seed of the day",
    seed: SEED,
    requests: Math.ceil(REQUESTS / 10),
    reached: [200],
    rawReached: [400],
  },
];

test.each(SEEDS)("$requests requests of $name, $seed", async (run) => {
  const { seed, requests, reached } = run;
  await using service = await startFuzzedService();
  using sender = createSender(service.baseUrl);
  const check = createAnswerCheck();
  const tally = createTally();

  const property = fc.asyncProperty(createProbes(service.known), async (probe) => {
    // Wrong sign-ins would soon be answered with 429 alone (D23).
    if (probe.target.startsWith("/Token")) service.forgetFailures();
    const answer = await sender.send(probe);
    tally.add(probe.kind, answer.status);
    const fault = check(probe, answer);
    if (fault !== undefined) throw new Error(fault);
  });
  const found = await fc.check(property, { seed, numRuns: requests });

  tally.print(seed);
  expectNoneFound(found, (probe) => toCurl(service.baseUrl, probe));
  expect(tally.statuses()).toEqual(expect.arrayContaining(reached));
});

test.each(SEEDS)("bytes that are hardly a request, of $name, $seed", async (run) => {
  const { seed, requests, rawReached } = run;
  await using service = await startFuzzedService();
  const check = createEnvelopeCheck();
  const tally = createTally();

  const property = fc.asyncProperty(createRawRequests(service.apiKey), async (bytes) => {
    const answers = parseAnswers(await sendRaw(service.baseUrl, bytes));
    if (answers.length === 0) tally.add("raw", "closed");
    for (const answer of answers) {
      tally.add("raw", answer.status);
      const fault = check(answer);
      if (fault !== undefined) throw new Error(fault);
    }
  });
  const found = await fc.check(property, { seed, numRuns: Math.ceil(requests / 10) });

  tally.print(seed);
  expectNoneFound(found, (bytes) => describeBytes(service.baseUrl, bytes));
  expect(tally.statuses()).toEqual(expect.arrayContaining(rawReached));
});
