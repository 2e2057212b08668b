// The two tables of the corpus, imported with mapping files of this app and otherwise read only by csv-parse.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { type CorpusSource, type ExpectedCall, toMapping } from "./source.ts";

type Row = Readonly<Record<string, string>>;

// The log counts seconds from a moment that it does not name; the mapping chooses this one.
const COPENHAGEN_EPOCH_MS = Date.UTC(2014, 1, 2);
const MISSED = "-1";

/** A log of calls between students: caller, called person, time and length; -1 seconds is a missed call. */
export function loadCopenhagen(corpus: string): Promise<CorpusSource> {
  return loadTable(join(corpus, "metadata/copenhagen/calls.csv"), "copenhagen", (row) => {
    const { timestamp, caller = "", callee = "", duration = "" } = row;
    const instantMs = COPENHAGEN_EPOCH_MS + Number(timestamp) * 1_000;
    return {
      call_id: `copenhagen-${timestamp}-${caller}-${callee}`,
      record: {
        datetime: new Date(instantMs).toISOString().replace(".000Z", "Z"),
        ani: caller,
        dnis: callee,
        talk_time: duration === MISSED ? null : Number(duration),
        campaign: "copenhagen",
      },
      chat: [],
    };
  });
}

/** Recorded robocalls by file name, with their text. They have no date, and so are in no range of days (D09). */
export function loadRobocalls(corpus: string): Promise<CorpusSource> {
  return loadTable(join(corpus, "metadata/ftc-robocalls/metadata.csv"), "ftc-robocalls", (row) => {
    const { file_name = "", language = "", transcript = "" } = row;
    return {
      call_id: file_name,
      record: {
        datetime: null,
        // One transcript ends with whitespace, and a mapping rejects whitespace around a value.
        transcript: transcript.trim(),
        custom_field_1: language,
        campaign: "ftc-robocalls",
      },
      chat: [],
    };
  });
}

async function loadTable(
  path: string,
  mapping: string,
  toCall: (row: Row) => ExpectedCall,
): Promise<CorpusSource> {
  const rows: Row[] = parse(await readFile(path, "utf8"), { columns: true });
  return {
    import: { format: "csv", paths: [path], mappingFile: toMapping(mapping) },
    rows: rows.length,
    rejected: [],
    calls: rows.map(toCall),
  };
}
