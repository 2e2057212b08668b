// Operations without a successful response in the run, and whether the archive proves that none is possible.
import type { OperationId } from "@call-media/api";
import { callIdOf, MAX_CHAT_TRIES, namesOf, type Sample } from "../archive/sample.ts";
import { WIDEST } from "../archive/searches.ts";
import { MAX_USERS } from "../checks/users.ts";
import { EMPTY } from "../../findings/verdict.ts";
import type { UnseenOperation } from "../../report.ts";
import type { Run } from "../../run.ts";
import { ALL, BASE64, LOOKUPS, RECORDINGS, SEARCHES, STREAMS } from "../operations.ts";

/** The operations without a success, and the lists without a row. `sample`: undefined when the run ended before it. */
export function listUnseen(
  run: Run,
  sample: Sample | undefined,
  isAsked: (operation: string) => boolean,
): UnseenOperation[] {
  const missing = ALL.filter((id) => isAsked(id) && !run.succeeded.has(id));
  const bare = sample === undefined ? [] : listBare(sample, isAsked);
  return [
    ...missing.map((operation) => ({
      operation,
      ...explain(operation, missing, { run, sample }),
    })),
    ...bare.filter(({ operation }) => run.succeeded.has(operation)),
  ];
}

interface Seen {
  readonly run: Run;
  readonly sample: Sample | undefined;
}

type Reason = Omit<UnseenOperation, "operation">;

const lacking = (why: string, isExcused = false): Reason => ({ why, isExcused });

function explain(
  operation: OperationId,
  missing: readonly OperationId[],
  { run, sample }: Seen,
): Reason {
  const isOneOf = (group: readonly OperationId[]) => group.includes(operation);
  if (operation === "createToken" && !run.found.bodies.has("createToken"))
    return lacking("no credentials were given", true);
  if (sample === undefined || isOneOf(SEARCHES) || /^list(?:Users|Public)/.test(operation))
    return lacking("no request was answered with success");
  const { window, users } = sample;
  if (window === undefined && (isOneOf([...LOOKUPS, ...RECORDINGS]) || /Chat/.test(operation)))
    return lacking("no search was answered with success, so that no call is known");
  if (/^getUser|^listPrivate/.test(operation)) {
    if (users.length === 0) return lacking("no user is listed", !missing.includes("listUsers"));
    return lacking(
      "no user has any",
      operation === "listPrivateFlags" && users.length <= MAX_USERS,
    );
  }
  return explainCalls(operation, sample);
}

/** Operations that need a call. The archive proves that it has none if all of its records were read. */
function explainCalls(operation: OperationId, { window }: Sample): Reason {
  const records = window?.records ?? [];
  const isAll = window?.isWhole === true && window.search === WIDEST;
  if (records.length === 0) return lacking("no call was found", isAll);
  const isByReference = operation.endsWith("ByReference");
  if (isByReference && !records.some(({ ref_id: id }) => id !== null && id !== ""))
    return lacking("no call with a ref_id was found", isAll);
  if ([...BASE64, ...STREAMS].includes(operation)) {
    const named = records.filter(({ recordings }) => namesOf(recordings) !== "");
    const isNone = isByReference
      ? !named.some(({ ref_id: id }) => id !== null)
      : named.length === 0;
    return lacking("no call with a recording was found", isAll && isNone);
  }
  if (operation !== "getChatByCallId") return lacking("no request was answered with success");
  const ids = new Set(records.flatMap((record) => callIdOf(record) ?? []));
  return lacking("no call with a chat was found", isAll && ids.size <= MAX_CHAT_TRIES);
}

/** An archive without a call or a user proves nothing of them. */
function listBare(
  { window, users }: Sample,
  isAsked: (operation: string) => boolean,
): UnseenOperation[] {
  const isOfCalls = [...LOOKUPS, ...SEARCHES, ...RECORDINGS, "getChatByCallId"].some(isAsked);
  const bare = [
    ...(isOfCalls && (window?.records.length ?? 0) === 0 ? ["searchMetadataByCustomFields"] : []),
    ...(isAsked("listUsers") && users.length === 0 ? ["listUsers"] : []),
  ];
  return bare.map((operation) => ({ operation, why: `it ${EMPTY}`, isExcused: false }));
}
