// Owners of recordings (D38): Recording-Of names a record of the call that lists the recording.
import { toMembers } from "../answers/members.ts";
import type { RecordingSample } from "../archive/sample.ts";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../../ask.ts";
import { recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";
import { toAsk } from "./recordings.ts";

const HEADER = "Recording-Of";
const BETWEEN = "; ";

export const owner: Check = {
  about: "whose recordings are",
  proves: ["recording.owner"],
  cost: 6,
  run: async ({ run, sample: { recordings } }) => {
    const answers: Answer[] = [];
    for (const recording of recordings) answers.push(...(await proveOwners(run, recording)));
    const said = answers.filter(({ headers }) => headers.has(HEADER)).length;
    if (said === 0) run.skip("recording.owner", `no recording came with ${HEADER}`);
    run.observe({
      decision: "D38",
      question: "Does a recording say whose it is?",
      observed: said === 0 ? "no" : said === answers.length ? "yes" : "some do",
      value: said > 0,
      agrees: said === answers.length,
    });
  },
};

/** The first recording, and the second one of a call with several. */
async function proveOwners(run: Run, { callId, answer, filename }: RecordingSample) {
  const path = { call_id: callId };
  const records = recordsOf(await run.recall({ operation: "getMetadataByCallId", path }));
  proveOwner(run, answer, { records, lists: (names) => names.includes(filename) });
  if (records.flatMap(listNames).length < 2) return [answer];
  const ask = toAsk("streamRecordingByCallId", callId, { part: "2" });
  const second = await run.ask({ ...ask, method: "HEAD" });
  proveOwner(run, second, { records, lists: (names) => names.length > 0 });
  return [answer, second];
}

interface Known {
  readonly records: readonly JsonObject[];
  readonly lists: (names: readonly string[]) => boolean;
}

function proveOwner(run: Run, answer: Answer, { records, lists }: Known): void {
  const header = answer.headers.get(HEADER);
  if (header === null) return;
  const told = toMembers(header);
  const isOwner = (record: JsonObject) =>
    ["call_id", "ref_id", "datetime"].every((key) => (record[key] ?? undefined) === told.get(key));
  const owners = records.filter(isOwner);
  const fault = owners.length === 0 ? "no record of the call" : "a record that does not list it";
  const isRight = owners.some((record) => lists(listNames(record)));
  run.prove("recording.owner", answer, unless(isRight, `${HEADER} names ${fault}: ${header}`));
}

const listNames = ({ recordings }: JsonObject): readonly string[] =>
  typeof recordings === "string" && recordings !== "" ? recordings.split(BETWEEN) : [];
