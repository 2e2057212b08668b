// What a check is: the requirements it proves, and what it does to prove them.
import type { OperationId } from "@call-media/api";
import type { Sample } from "../archive/sample.ts";
import { callIdOf } from "../archive/sample.ts";
import { impossible } from "../archive/records.ts";
import type { Answer, Ask, JsonObject } from "../http/answer.ts";
import type { Target } from "../report.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import type { Run } from "../run.ts";

export interface Check {
  /** In words, for whoever waits. */
  readonly about: string;
  readonly proves: readonly RequirementId[];
  readonly run: (context: Context) => Promise<void>;
}

export interface Context {
  readonly run: Run;
  readonly sample: Sample;
  readonly target: Target;
  /** The answer that gave the first caller a token; undefined with an API key. */
  readonly signedIn: Answer | undefined;
  /** The second caller, with fewer rights; undefined when none was given. */
  readonly restricted: RestrictedCaller | undefined;
}

export interface RestrictedCaller {
  readonly authorization: string;
}

/** A right request of an operation, about something that exists where the archive has it. */
export function toRightAsk(
  operation: OperationId,
  { window, users, recordings, chats }: Sample,
): Ask {
  const records = window?.records ?? [];
  const named = records.find((record) => callIdOf(record) !== undefined);
  const callId = named?.["call_id"] ?? impossible();
  const recorded = recordings.find(({ record }) => typeof record?.["ref_id"] === "string");
  const refId = records.find(({ ref_id: id }) => typeof id === "string" && id !== "")?.["ref_id"];
  const user = { user_id: String(users[0]?.["id"] ?? 1) };
  const { startDate = "2026-01-01", endDate = "2026-01-31" } = window?.search ?? {};
  const query = { pageIndex: String(window?.base ?? 0), startDate, endDate };
  const byCall = { path: { call_id: String(callId) } };
  const byReference = { path: { ref_id: String(refId ?? impossible()) } };
  const ofRecording = { path: { call_id: recordings[0]?.callId ?? String(callId) } };
  const ofReference = { path: { ref_id: String(recorded?.record?.["ref_id"] ?? refId ?? callId) } };
  const parts: Readonly<Record<OperationId, Omit<Ask, "operation">>> = {
    createToken: { body: { secretID: impossible(), secretKey: impossible() } },
    getMetadataByCallId: byCall,
    getMetadataByReference: byReference,
    searchMetadata: { query, body: toFilter(records) },
    searchMetadataByCustomFields: { query, body: {} },
    listUsers: { query: { status: "all" } },
    getUserAddresses: { query: user },
    getUserSecurityRights: { query: user },
    getRecordingByCallId: ofRecording,
    getRecordingByReference: ofReference,
    streamRecordingByCallId: ofRecording,
    streamRecordingByReference: ofReference,
    listPublicFlags: {},
    listPrivateFlags: { query: user },
    getChatByCallId: { path: { call_id: chats[0]?.callId ?? String(callId) } },
  };
  return { operation, ...parts[operation] };
}

function toFilter(records: readonly JsonObject[]): JsonObject {
  const agent = records.find((record) => typeof record["agent"] === "string")?.["agent"];
  return { agent: agent ?? "nobody" };
}
