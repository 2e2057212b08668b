// What a caller with fewer rights may download (D22).
import { type JsonObject, recordsOf } from "../answer.ts";
import type { RecordingSample } from "../archive/sample.ts";
import { RECORDINGS } from "../requirements/requirement.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Context } from "./check.ts";
import { type Attempt, covers, type Second } from "./second-caller.ts";

/** Which requirement an answer proves, by the status that is due. */
const REQUIREMENTS = { 200: "rights.seen", 403: "rights.download", 404: "rights.hidden" } as const;

type Due = keyof typeof REQUIREMENTS;

interface Download {
  readonly recording: RecordingSample;
  readonly record: JsonObject;
  readonly due: Due;
}

/** One recording for each status that is due: another would prove the same. */
export async function proveDownloads({ run, sample }: Context, second: Second): Promise<Attempt[]> {
  const downloads = sample.recordings.flatMap((recording): Download[] => {
    const { record } = recording;
    return record === undefined
      ? []
      : [{ recording, record, due: toDue(second, recording, record) }];
  });
  const picked = Map.groupBy(downloads, ({ due }) => due).values();
  const attempts: Attempt[] = [];
  for (const [download] of picked) {
    if (download === undefined) continue;
    const tried = await prove(run, second, download);
    if (download.due !== 200) attempts.push(...tried);
  }
  return attempts;
}

function toDue(second: Second, { filename }: RecordingSample, record: JsonObject): Due {
  const { rights: of } = second;
  if (of["allow_download"] !== true) return 403;
  if (!covers(second, record)) return 404;
  const allowed = of["allowed_download_doc_type"];
  const types = Array.isArray(allowed) ? allowed.map((type) => toType(String(type))) : [];
  const isOfType = types.includes(toType(filename.split(".").at(-1) ?? ""));
  return of["allow_all_download_doc_type"] === true || isOfType ? 200 : 403;
}

function toType(name: string): string {
  return name.trim().toLowerCase().replace(/^\./, "");
}

async function prove(run: Run, second: Second, { recording, record, due }: Download) {
  const { ref_id: refId } = record;
  const attempts: Attempt[] = [];
  for (const operation of RECORDINGS) {
    const isByReference = operation.endsWith("Reference");
    if (isByReference && typeof refId !== "string") continue;
    const path = isByReference ? { ref_id: String(refId) } : { call_id: recording.callId };
    const answer = await second.ask({ operation, path });
    const isRight = answer.status === due;
    // Another leg under the same reference may be covered.
    if (isByReference && !isRight && (await isShared(run, String(refId)))) continue;
    const fault = unless(isRight, `the answer is ${answer.status}, not ${due}`);
    run.prove(REQUIREMENTS[due], answer, fault);
    attempts.push({ operation, fault });
  }
  return attempts;
}

async function isShared(run: Run, refId: string): Promise<boolean> {
  const answer = await run.recall({ operation: "getMetadataByReference", path: { ref_id: refId } });
  return recordsOf(answer).length !== 1;
}
