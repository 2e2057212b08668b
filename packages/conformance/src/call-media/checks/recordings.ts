// Recordings: base64 against stream, call_id against reference, names against parts, and recordings that do not exist.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../../ask.ts";
import { recordsOf } from "../answer.ts";
import type { RecordingSample, Sample } from "../archive/sample.ts";
import { impossible } from "../archive/records.ts";
import { BASE64, RECORDINGS } from "../operations.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";

// RFC 4648, sections 3.1, 3.2 and 4: no line feeds, padding, the standard alphabet. A repeated group would need a stack as deep as the text
// is long.
const BASE64_TEXT = /^[A-Za-z0-9+/]+={0,2}$/;

// The result of a lookup by reference does not depend on the file format.
const MAX_BY_REFERENCE = 2;

export type OfRecording = (typeof RECORDINGS)[number];

/** A request for a recording by either kind of identifier. */
export const toAsk = (operation: OfRecording, id: string, query: Ask["query"] = {}): Ask => ({
  operation,
  path: operation.endsWith("Reference") ? { ref_id: id } : { call_id: id },
  query,
});

export const inBase64: Check = {
  about: "recordings in base64",
  proves: ["recording.base64", "recording.success"],
  cost: 5,
  run: async ({ run, sample: { recordings } }) => {
    for (const { answer, callId } of recordings) {
      proveBase64(run, answer);
      await run.succeed(toAsk("streamRecordingByCallId", callId));
    }
  },
};

export function dataOf({ json }: Answer): JsonObject {
  const data = isObject(json) ? json["data"] : undefined;
  return isObject(data) ? data : {};
}

function proveBase64(run: Run, answer: Answer): void {
  const { base64, success } = dataOf(answer);
  const isRight = typeof base64 === "string" && base64.length % 4 === 0 && BASE64_TEXT.test(base64);
  run.prove(
    "recording.base64",
    answer,
    unless(isRight, `base64 is ${base64 === "" ? "empty" : "no base64 as RFC 4648 has it"}`),
  );
  run.prove("recording.success", answer, unless(success === true, `success is ${String(success)}`));
}

export const byEither: Check = {
  about: "recordings by reference",
  proves: ["recording.by-either", "recording.base64", "recording.success"],
  cost: 6,
  run: async ({ run, sample }) => {
    const alone = await findAlone(run, sample);
    if (alone.length === 0)
      run.skip("recording.by-either", "no reference with one call with one recording was found");
    for (const recording of alone.slice(0, MAX_BY_REFERENCE)) {
      const id = String(recording.record?.["ref_id"]);
      const answer = await run.succeed(toAsk("getRecordingByReference", id));
      proveBase64(run, answer);
      const { base64, filename } = dataOf(answer);
      const isSame = base64 === recording.base64 && filename === recording.filename;
      run.prove(
        "recording.by-either",
        answer,
        unless(
          isSame,
          `by reference comes ${JSON.stringify(filename)}, by call_id ${JSON.stringify(recording.filename)}, or other bytes`,
        ),
      );
      await run.succeed(toAsk("streamRecordingByReference", id));
    }
  },
};

/** Recordings whose reference and call no other recording shares, so that none can be confused with them. */
export async function findAlone(run: Run, { recordings, window }: Sample) {
  const records = window?.records ?? [];
  const alone: RecordingSample[] = [];
  for (const recording of recordings) {
    const { record, callId } = recording;
    const reference = record?.["ref_id"];
    if (typeof reference !== "string" || reference === "") continue;
    const isOne = records.filter(({ ref_id: other }) => other === reference).length === 1;
    if (!isOne || String(record?.["recordings"]).includes(";")) continue;
    if (await isOneRecord(run, { callId, reference })) alone.push(recording);
  }
  return alone;
}

/** Other records with the same identifier may be outside the window. */
async function isOneRecord(run: Run, { callId, reference }: { callId: string; reference: string }) {
  const asks: readonly Ask[] = [
    { operation: "getMetadataByReference", path: { ref_id: reference } },
    { operation: "getMetadataByCallId", path: { call_id: callId } },
  ];
  const answers = await Promise.all(asks.map((ask) => run.recall(ask)));
  return answers.every((answer) => recordsOf(answer).length === 1);
}

export const noRecording: Check = {
  about: "recordings that are not there",
  proves: ["recording.nothing", "recording.unknown"],
  cost: 6,
  run: async ({ run, sample: { window } }) => {
    const silent = (window?.records ?? []).find(
      ({ recordings, call_id: id }) => recordings === null && typeof id === "string" && id !== "",
    );
    const statuses: number[] = [];
    for (const operation of RECORDINGS) {
      const nothing = await run.ask(toAsk(operation, impossible(run)));
      const fault = "an identifier that cannot exist gives a recording";
      run.prove("recording.nothing", nothing, unless(!hasRecording(nothing), fault));
      proveUnknown(run, nothing);
      statuses.push(nothing.status);
      if (silent !== undefined && operation.endsWith("CallId"))
        proveUnknown(run, await run.ask(toAsk(operation, String(silent["call_id"]))));
    }
    run.observe({
      decision: "D15",
      question: "How is a recording answered that is not there?",
      observed: [...new Set(statuses)].join(", "),
      value: statuses,
      agrees: statuses.every((status) => status === 404),
    });
  },
};

function hasRecording(answer: Answer): boolean {
  const { base64, success } = dataOf(answer);
  const isBase64 = (BASE64 as readonly string[]).includes(answer.ask.operation);
  return answer.isSuccess && (isBase64 ? success !== false || base64 !== "" : answer.size > 0);
}

function proveUnknown(run: Run, answer: Answer): void {
  const { status } = answer;
  run.prove("recording.unknown", answer, unless(status === 404, `the answer is ${status}`));
}
