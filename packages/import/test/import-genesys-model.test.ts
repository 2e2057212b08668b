// Conversations of Genesys Cloud at random: what is told of them is what the archive has.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";

const text = fc
  .string({ unit: "grapheme", minLength: 1 })
  .map((t) => t.trim())
  .filter((t) => t !== "");
const minutes = fc.integer({ min: 1, max: 59 });
const conversationArbitrary = fc.record({
  id: fc.nat().map((n) => `c-${n}`),
  start: fc.integer({ min: 2015, max: 2025 }), // before the end of any
  ani: text,
  agents: fc.uniqueArray(
    fc.record({ userId: text, name: text, minute: minutes, talkMs: fc.nat() }),
    { selector: ({ userId }) => userId, maxLength: 4 },
  ),
});

test("whatever is told as Genesys tells it is what the archive has", async () => {
  const store = createArchive();
  const all = fc.uniqueArray(conversationArbitrary, {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 5,
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(all, async (written) => {
      runs += 1;
      const moment = (year: number, minute: number) =>
        new Date(Date.UTC(year, 7, 21, 9, minute)).toISOString();
      const conversations = written.map(({ id, start, ani, agents }) => ({
        conversationId: id,
        conversationStart: moment(start, 0),
        // A counterexample is run again: every run is a later state of its conversations.
        conversationEnd: new Date(Date.UTC(2026, 0, 1) + runs).toISOString(),
        participants: [
          { purpose: "external", sessions: [{ ani, mediaType: "voice" }] },
          ...agents.map(({ userId, name, minute, talkMs }) => ({
            purpose: "user",
            userId,
            participantName: name,
            sessions: [
              {
                metrics: [{ name: "tTalkComplete", value: talkMs }],
                segments: [{ segmentType: "interact", segmentStart: moment(start, minute) }],
              },
            ],
          })),
        ],
      }));
      const path = await writeLines("details.json", [{ conversations }]);
      expect(await importFiles({ store, paths: [path] })).toMatchObject({ rejected: 0 });
      for (const { id, start, ani, agents } of written) {
        const found = await store.calls.byCallId(id, "everything");
        const first = Math.min(...agents.map(({ minute }) => minute));
        const expected = agents.map(({ userId, name, talkMs }) => ({
          agent: userId,
          agent_name: name,
          talk_time: Math.round(talkMs / 1_000),
        }));
        expect(found).toHaveLength(Math.max(1, agents.length));
        for (const fields of expected.length === 0 ? [{}] : expected)
          expect(found).toContainEqual({
            ...toRecord({ call_id: id, ani, media: "voice", ...fields }),
            datetime: expect.any(String),
          });
        expect(found.map(({ datetime }) => datetime)).toContain(moment(start, 0));
        for (const { minute } of agents.filter((agent) => agent.minute > first))
          expect(found.map(({ datetime }) => datetime)).toContain(moment(start, minute));
      }
    }),
    { numRuns: 20 },
  );
});
