// The recordings of a search are the same ones in an export, for a program, and in the tools for language models.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { createClient } from "@call-media/client";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type FakeCall,
  MARCH,
  readManifest,
  startExporting,
  toBytes,
} from "./support/exporting.ts";
import { askTool } from "./support/mcp.ts";

const toDigest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Names and references repeat as platforms have them; what tells legs apart is their datetime. */
const legs = fc.array(
  fc.record({
    call_id: fc.constantFrom("1", "2"),
    ref_id: fc.constantFrom("r", "s", '"ü; 1', null),
    names: fc.array(fc.constantFrom("a", "a.wav", "b.wav", "a; b.wav", "ü.wav"), { maxLength: 3 }),
    /** Some recordings have the same bytes. */
    seeds: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 5 },
);

const toCalls = (
  given: readonly (typeof legs extends fc.Arbitrary<(infer Leg)[]> ? Leg : never)[],
) =>
  given.map(({ names, seeds, ...leg }, index): FakeCall => ({
    ...leg,
    agent: `agent${index}`,
    datetime: `2026-03-05T1${index}:00:00Z`,
    recordings: names.map((filename, at) => ({ filename, bytes: toBytes(300, seeds[at]) })),
  }));

/** Of each agent: what the recordings are, in the order of their record. */
type Files = Readonly<Record<string, readonly string[]>>;

const toFiles = (found: readonly (readonly [agent: string, digest: string])[]): Files => {
  const files: Record<string, string[]> = {};
  for (const [agent, digest] of found) (files[agent] ??= []).push(digest);
  return files;
};

test("export, client and tools give each record of a search the same recordings, its own", async () => {
  await fc.assert(
    fc.asyncProperty(legs, async (given) => {
      const calls = toCalls(given);
      const meant = toFiles(
        calls.flatMap(({ agent, recordings = [] }) =>
          recordings.map(({ bytes }) => [String(agent), toDigest(bytes)] as const),
        ),
      );
      const { out, exportCalls, service, variables } = await startExporting({ calls });

      const args = [...MARCH, "--files", "recordings", "--name", "{agent}_{part}"];
      expect(await exportCalls(...args)).toMatchObject({ code: 0 });
      const manifest = await readManifest(out);
      const exported = manifest
        .filter(({ kind, status }) => kind === "recording" && status === "complete")
        .toSorted((one, other) => Number(one.part) - Number(other.part))
        .map(({ file }) => String(file));
      const read = exported.map(async (file) => {
        const [agent = ""] = parse(file).name.split("_");
        return [agent, toDigest(await readFile(join(out, file)))] as const;
      });
      expect(toFiles(await Promise.all(read))).toEqual(meant);

      const client = createClient(service.clientOptions);
      const days = { startDate: "2026-03-01", endDate: "2026-03-31" };
      const { records } = await client.calls.byCustomFields({ ...days, filter: {} }).page(0);
      const own: (readonly [string, string])[] = [];
      for (const record of records)
        for (const { sha256 = "" } of await client.recordings.of(record))
          own.push([String(record.agent), sha256]);
      expect(toFiles(own)).toEqual(meant);

      const listed = Object.fromEntries(
        records.map(({ agent, recordings }) => [agent, recordings]),
      );
      const ids = new Set(given.map(({ call_id }) => call_id));
      const told: Record<string, unknown> = {};
      for (const call_id of ids) {
        const { content } = await askTool(variables, "get_call", { call_id });
        for (const [line] of (content[0]?.text ?? "").matchAll(/^\{.*\}$/gm)) {
          const { agent, recordings = null } = JSON.parse(line) as Record<string, unknown>;
          told[String(agent)] = recordings;
        }
      }
      expect(told).toEqual(listed);
    }),
    { numRuns: 8 },
  );
});
