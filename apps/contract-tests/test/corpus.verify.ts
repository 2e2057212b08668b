// Real input: the corpus beside the repository is imported as it lies there, and each of its calls, chats and recordings is
// found again over HTTP through the client.
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { FieldSearch } from "@call-media/client";
import { importFiles, type ImportReport } from "@call-media/import";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConversations } from "../src/corpus/conversations.ts";
import { type CorpusService, createCorpusService } from "../src/corpus/corpus-service.ts";
import { loadRecordings } from "../src/corpus/recordings.ts";
import {
  EVERY_DAY,
  forEach,
  readRecordings,
  retrieve,
  toCallIds,
} from "../src/corpus/retrieval.ts";
import { describeArchive, exportAndImport } from "../src/corpus/round-trip.ts";
import { type CorpusSource, type ExpectedCall, findCorpus } from "../src/corpus/source.ts";
import { loadCopenhagen, loadRobocalls } from "../src/corpus/tables.ts";
import { loadVcons } from "../src/corpus/vcons.ts";

type Load = (corpus: string, scratch: string) => Promise<CorpusSource>;

const SOURCES: Readonly<Record<string, Load>> = {
  vcons: loadVcons,
  copenhagen: loadCopenhagen,
  "ftc-robocalls": loadRobocalls,
  "ms-ckm": loadConversations,
  "asterisk-it": loadRecordings("asterisk-it"),
  "picovoice-barista": loadRecordings("picovoice-barista"),
  "mycroft-pd": loadRecordings("mycroft-pd"),
  "azure-speech": loadRecordings("azure-speech"),
  "aws-pca": loadRecordings("aws-pca"),
  "other media": loadRecordings(),
};

const corpus = findCorpus() ?? "";
if (corpus === "")
  console.warn(
    "SKIPPED corpus.verify.ts: no ../shared/corpus, and CALL_MEDIA_CORPUS names no folder",
  );

describe.skipIf(corpus === "")("the corpus", () => {
  let service: CorpusService;
  const imported: ExpectedCall[] = [];
  beforeAll(async () => {
    service = await createCorpusService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each(Object.keys(SOURCES))("%s: imported once, and every call found again", async (name) => {
    const { store, client, scratch } = service;
    const source = await SOURCES[name]?.(corpus, scratch);
    if (source === undefined || source.calls.length === 0) throw new Error(`${name} has no calls`);
    const { rows, rejected } = source;
    const accepted = rows - rejected.length;
    const account = { read: rows, rejected: rejected.length };
    const report = await importFiles({ store, ...source.import });
    expect(report).toMatchObject({ ...account, imported: accepted, unchanged: 0 });
    expect(report.firstRejections).toEqual(
      rejected.map(({ file, reason }) => ({
        file,
        line: expect.any(Number),
        reason: expect.stringContaining(reason),
      })),
    );
    const again = await importFiles({ store, ...source.import });
    expect(again).toMatchObject({ ...account, imported: 0, unchanged: accepted });

    await forEach(source.calls, async (call) => {
      const found = await retrieve(client, call);
      expect(found.records).toEqual([
        expect.objectContaining({ call_id: call.call_id, ...call.record }),
      ]);
      expect(found.chat).toEqual(call.chat);
      expect(found.recordings).toEqual(await readRecordings(call));
    });
    imported.push(...source.calls);
    console.log(toLine(name, report, source.calls));
  });

  test("a search over every day gives exactly the calls that have a datetime", async () => {
    const { client } = service;
    const dated = imported.filter(({ record }) => record.datetime);
    const expected = dated.map(({ call_id }) => call_id).toSorted();
    const search = { ...EVERY_DAY, filter: {} };
    expect(await toCallIds(client.calls.byCustomFields(search))).toEqual(expected);
    const { data } = await client.POST("/metadata/by-custom-fields", {
      params: { query: { ...EVERY_DAY, pageIndex: 0 } },
      body: {},
    });
    expect(data.recordCount).toBe(expected.length);
    console.log(`every day: ${expected.length} calls on ${Math.ceil(expected.length / 50)} pages`);
  });

  test.each(["campaign", "agent"] as const)(
    "a search by %s gives exactly its calls",
    async (field) => {
      const byValue = Object.groupBy(
        imported.filter(({ record }) => record.datetime),
        ({ record }) => record[field]?.toLowerCase() ?? "",
      );
      const { "": _, ...groups } = byValue;
      expect(Object.keys(groups).length).toBeGreaterThan(1);
      await forEach(Object.entries(groups), async ([value, calls = []]) => {
        const filter: object = { [field]: value };
        const search = { ...EVERY_DAY, filter } as FieldSearch;
        const expected = calls.map(({ call_id }) => call_id).toSorted();
        expect(await toCallIds(service.client.calls.search(search))).toEqual(expected);
      });
    },
  );

  test.each(["jsonl", "vcon"] as const)(
    "all of it, exported as %s and imported again, is the same",
    async (format) => {
      const { scratch } = service;
      const archive = join(scratch, "archive");
      const again = await exportAndImport(archive, format, await mkdtemp(join(scratch, format)));
      expect(describeArchive(again)).toEqual(describeArchive(archive));
    },
  );
});

function toLine(name: string, report: ImportReport, calls: readonly ExpectedCall[]): string {
  const { read, imported, unchanged, rejected } = report;
  const count = (toCount: (call: ExpectedCall) => number) =>
    calls.reduce((sum, call) => sum + toCount(call), 0);
  return [
    `${name}: read ${read} = imported ${imported} + unchanged ${unchanged} + rejected ${rejected}; found again`,
    `${calls.length} calls, ${count(({ record }) => (record.transcript ? 1 : 0))} transcripts, ${count(({ chat }) => chat.length)} chat messages,`,
    `${count(({ recordings = [] }) => recordings.length)} recordings`,
  ].join(" ");
}
