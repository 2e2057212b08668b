// What a check is: the requirements it proves, and what it does to prove them.
import type { OperationId } from "@call-media/api";
import type { Sample } from "../archive/sample.ts";
import { impossible, toText } from "../archive/records.ts";
import type { Answer, Ask, JsonObject } from "../answer.ts";
import type { Target } from "../report.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import type { Run } from "../run.ts";

export interface Check {
  /** A short description, shown while the check runs. */
  readonly about: string;
  /** Default: the requirements that the relations file names. */
  readonly proves?: readonly RequirementId[];
  readonly run: (context: Context) => Promise<void>;
}

export interface Context {
  readonly run: Run;
  readonly sample: Sample;
  readonly target: Target;
  /** The response with the first caller's token; undefined with an API key. */
  readonly signedIn: Answer | undefined;
  /** The second caller, with fewer rights; undefined if none was configured. */
  readonly restricted: RestrictedCaller | undefined;
}

export interface RestrictedCaller {
  readonly authorization: string;
}

/** A valid request of an operation, for an existing object if the archive has one. */
export function toRightAsk(operation: OperationId, sample: Sample): Ask {
  const { window, users, recordings, chats } = sample;
  const records = window?.records ?? [];
  const callId = findText(records, "call_id");
  const refId = findText(records, "ref_id");
  const recorded = recordings.flatMap(({ record }) => (record === undefined ? [] : [record]));
  const user = { user_id: toText(users[0]?.["id"] ?? 1) };
  const { startDate = "2026-01-01", endDate = "2026-01-31" } = window?.search ?? {};
  const query = { pageIndex: String(window?.base ?? 0), startDate, endDate };
  const ofCall = { path: { call_id: callId ?? impossible() } };
  const ofReference = { path: { ref_id: refId ?? impossible() } };
  const ofRecording = { path: { call_id: recordings[0]?.callId ?? callId ?? impossible() } };
  const recordedReference = findText(recorded, "ref_id") ?? refId ?? impossible();
  const parts: Readonly<Record<OperationId, Omit<Ask, "operation">>> = {
    createToken: { body: { secretID: impossible(), secretKey: impossible() } },
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
