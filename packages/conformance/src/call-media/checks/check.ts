// What a check is: the requirements it proves, and what it does to prove them.
import type { OperationId } from "@call-media/api";
import type { Sample } from "../archive/sample.ts";
import { impossible, toText } from "../archive/records.ts";
import type { JsonObject } from "@call-media/contract-diff";
import type { Ask, Caller } from "../../ask.ts";
import type { Judgement, Unchecked } from "../../laws/law.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import type { Run } from "../run.ts";

export interface Check {
  /** A short name, for `--without`. */
  readonly about: string;
  readonly proves: readonly RequirementId[];
  /** The approximate number of requests. */
  readonly cost: number;
  readonly run: (context: Context) => Promise<void>;
}

export interface Context {
  readonly run: Run;
  readonly sample: Sample;
  /** The second caller, with fewer rights; undefined if none was configured. */
  readonly restricted: Caller | undefined;
  /** True if an operation is to be reported. */
  readonly isAsked: (operation: string) => boolean;
  /** Verdicts of the search for samples. */
  readonly pending: readonly (Judgement | Unchecked)[];
}

/** A valid request of an operation, for an existing object if the archive has one. */
export function toRightAsk(run: Run, operation: OperationId, sample: Sample): Ask {
  const { window, users, recordings, chats } = sample;
  const records = window?.records ?? [];
  const callId = findText(records, "call_id");
  const refId = findText(records, "ref_id");
  const recorded = recordings.flatMap(({ record }) => (record === undefined ? [] : [record]));
  const user = { user_id: toText(users[0]?.["id"] ?? 1) };
  const { startDate = "2026-01-01", endDate = "2026-01-31" } = window?.search ?? {};
  const query = { pageIndex: String(window?.base ?? 0), startDate, endDate };
  const ofCall = { path: { call_id: callId ?? impossible(run) } };
  const ofReference = { path: { ref_id: refId ?? impossible(run) } };
  const ofRecording = { path: { call_id: recordings[0]?.callId ?? callId ?? impossible(run) } };
  const recordedReference = findText(recorded, "ref_id") ?? refId ?? impossible(run);
  const parts: Readonly<Record<OperationId, Omit<Ask, "operation">>> = {
    createToken: { body: { secretID: impossible(run), secretKey: impossible(run) } },
    getMetadataByCallId: ofCall,
    getMetadataByReference: ofReference,
    searchMetadata: { query, body: { agent: findText(records, "agent") ?? "nobody" } },
    searchMetadataByCustomFields: { query, body: {} },
    listUsers: { query: { status: "all" } },
    getUserAddresses: { query: user },
    getUserSecurityRights: { query: user },
    getRecordingByCallId: ofRecording,
    getRecordingByReference: { path: { ref_id: recordedReference } },
    streamRecordingByCallId: ofRecording,
    streamRecordingByReference: { path: { ref_id: recordedReference } },
    listPublicFlags: {},
    listPrivateFlags: { query: user },
    getChatByCallId: chats[0] === undefined ? ofCall : { path: { call_id: chats[0].callId } },
  };
  return { operation, ...parts[operation] };
}

function findText(records: readonly JsonObject[], field: string): string | undefined {
  const found = records
    .map((record) => record[field])
    .find((value) => typeof value === "string" && value !== "");
  return typeof found === "string" ? found : undefined;
}
