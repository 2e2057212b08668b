// Calls with several recordings: their names, and how to request each part (D17).
import { findRangeFault, half } from "../../laws/bytes.ts";
import { findDigestFault, findNameFault } from "../../laws/bytes/headers.ts";
import { callIdOf, type RecordingSample } from "../archive/sample.ts";
import type { JsonObject } from "@call-media/contract-diff";
import { recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";
import { dataOf, toAsk } from "./recordings.ts";

export const names: Check = {
  about: "names and parts of recordings",
  proves: ["recording.names", "recording.refused", "stream.digest", "stream.range"],
  cost: 12,
  run: async ({ run, sample: { recordings } }) => {
    const known = recordings
      .map((recording) => ({ recording, listed: listNames(recording.record ?? {}) }))
      .filter(({ listed }) => listed.length > 0);
    for (const { recording, listed } of known)
      run.prove(
        "recording.names",
        recording.answer,
        unless(
          listed[0] === recording.filename,
          `filename is ${JSON.stringify(recording.filename)}, recordings lists ${JSON.stringify(listed.join("; "))}`,
        ),
      );
    const several = known.filter(({ listed }) => listed.length > 1);
    for (const { recording, listed } of several.slice(0, 1))
      for (const [index, name] of listed.slice(0, MAX_PARTS).entries())
        await provePart(run, recording, { part: String(index + 1), name });
    await proveReferencePart(run, several[0]?.recording, several[0]?.listed ?? []);
    await provePastTheLast(run, recordings[0]);
    run.observe({
      decision: "D17",
      question: "Which of several recordings is given?",
      observed:
        several.length === 0
          ? "no call with several was found"
          : several.every(({ recording, listed }) => listed[0] === recording.filename)
            ? "the first"
            : "another",
      value: several.length,
      agrees: known.every(({ recording, listed }) => listed[0] === recording.filename),
    });
  },
};

const MAX_PARTS = 2;
const MAX_CALLS = 12;

export const unnamed: Check = {
  about: "recordings that no record names",
  proves: ["recording.names"],
  cost: 20,
  run: async ({ run, sample: { window } }) => {
    for (const callId of spread(listNaming(window?.records ?? []), MAX_CALLS)) {
      const path = { call_id: callId };
      // A transferred call has one record per leg, and some may be outside the window.
      const records = recordsOf(await run.recall({ operation: "getMetadataByCallId", path }));
      const named = records.flatMap(listNames).length;
      const part = String(named + 1);
      const answer = await run.ask({
        ...toAsk("streamRecordingByCallId", callId, { part }),
        method: "HEAD",
      });
      const fault = `part ${part} is there, and recordings names ${named}`;
      run.prove("recording.names", answer, unless(!answer.isSuccess, fault));
    }
  },
};

const listNames = ({ recordings }: JsonObject): readonly string[] =>
  typeof recordings === "string" && recordings !== "" ? recordings.split("; ") : [];

function listNaming(records: readonly JsonObject[]): readonly string[] {
  const naming = records.filter((record) => listNames(record).length > 0);
  return [...new Set(naming.flatMap((record) => callIdOf(record) ?? []))];
}

/** At most `count` items, evenly spread over the list. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, all.length / count);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

interface Part {
  readonly part: string;
  readonly name: string;
}

async function provePart(run: Run, { callId }: RecordingSample, { part, name }: Part) {
  const answer = await run.ask(toAsk("getRecordingByCallId", callId, { part }));
  const stream = await run.ask(toAsk("streamRecordingByCallId", callId, { part }));
  const { filename, base64 } = dataOf(answer);
  run.prove(
    "recording.names",
    answer,
    unless(
      filename === name,
      `part ${part} is ${JSON.stringify(filename)}, not ${JSON.stringify(name)}`,
    ),
  );
  run.prove("recording.names", stream, findNameFault(stream, name));
  if (typeof base64 !== "string" || !stream.isSuccess) return;
  const isSame = stream.bytes === undefined || Buffer.from(base64, "base64").equals(stream.bytes);
  run.prove("recording.names", stream, unless(isSame, `part ${part} has other bytes in base64`));
  run.prove("stream.digest", stream, findDigestFault(stream, "Repr-Digest"));
  if (part !== "2") return;
  const range = half(stream.size);
  const ask = toAsk("streamRecordingByCallId", callId, { part });
  const came = await run.ask({ ...ask, headers: { Range: range.asked } });
  run.prove("stream.range", came, findRangeFault(came, stream, range));
}

async function proveReferencePart(
  run: Run,
  recording: RecordingSample | undefined,
  listed: readonly string[],
) {
  const id = recording?.record?.["ref_id"];
  const [, name] = listed;
  if (typeof id !== "string" || name === undefined) return;
  const answer = await run.ask(toAsk("getRecordingByReference", id, { part: "2" }));
  const stream = await run.ask(toAsk("streamRecordingByReference", id, { part: "2" }));
  run.prove(
    "recording.names",
    answer,
    unless(
      dataOf(answer)["filename"] === name,
      `part 2 is ${JSON.stringify(dataOf(answer)["filename"])}, not ${JSON.stringify(name)}`,
    ),
  );
  run.prove("recording.names", stream, findNameFault(stream, name));
}

// The document allows this number, and no call has as many recordings.
const NO_PART = { part: "10000" };

async function provePastTheLast(run: Run, recording: RecordingSample | undefined) {
  if (recording === undefined) return;
  const { callId, record } = recording;
  const id = record?.["ref_id"];
  const asks = [
    toAsk("getRecordingByCallId", callId, NO_PART),
    toAsk("streamRecordingByCallId", callId, NO_PART),
    ...(typeof id === "string"
      ? [
          toAsk("getRecordingByReference", id, NO_PART),
          toAsk("streamRecordingByReference", id, NO_PART),
        ]
      : []),
  ];
  for (const ask of asks) {
    const answer = await run.ask(ask);
    const fault = `part ${NO_PART.part} is answered ${answer.status}, not 404`;
    run.prove("recording.refused", answer, unless(answer.status === 404, fault));
  }
}
