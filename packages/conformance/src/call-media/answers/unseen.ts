// Operations without a successful response in the run, and whether the archive proves that none is possible.
import type { OperationId } from "@call-media/api";
import { callIdOf, MAX_CHAT_TRIES, namesOf, type Sample } from "../archive/sample.ts";
import { WIDEST } from "../archive/searches.ts";
import { MAX_USERS } from "../checks/users.ts";
import type { Target, Unseen } from "../report.ts";
import { BASE64, LOOKUPS, RECORDINGS, SEARCHES, STREAMS } from "../requirements/requirement.ts";

interface Seen {
  /** Undefined when the run ended before it. */
  readonly sample: Sample | undefined;
  readonly target: Target;
}

/** `missing`: the operations that were requested and never succeeded. */
export function listUnseen(missing: readonly OperationId[], seen: Seen): readonly Unseen[] {
  return missing.map((operation) => ({ operation, ...explain(operation, missing, seen) }));
}

type Reason = Omit<Unseen, "operation">;

const lacking = (why: string, isExcused = false): Reason => ({ why, isExcused });

function explain(
  operation: OperationId,
  missing: readonly OperationId[],
  { sample, target }: Seen,
): Reason {
  const isOneOf = (group: readonly OperationId[]) => group.includes(operation);
  if (operation === "createToken" && target.credentials === undefined)
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

/** Why a check may not report the contract as kept. Undefined if it may. */
export function findUnseen(unseen: readonly Unseen[]): string | undefined {
  const groups = Map.groupBy(
    unseen.filter(({ isExcused }) => !isExcused),
    ({ why }) => why,
  );
  const reasons = [...groups].map(
    ([why, group]) => `${group.map(({ operation }) => operation).join(", ")}: ${why}`,
  );
  return reasons.length === 0 ? undefined : `not one success was seen of ${reasons.join("; ")}`;
}

/** Names the kinds of data that the archive lacks, which therefore could not be checked. Undefined if it has some of each. */
export function findEmpty(
  { window, users }: Sample,
  isAsked: (operation: OperationId) => boolean,
): string | undefined {
  const isOfCalls = [...LOOKUPS, ...SEARCHES, ...RECORDINGS, "getChatByCallId" as const].some(
    isAsked,
  );
  const none = [
    ...(isOfCalls && (window?.records.length ?? 0) === 0 ? ["call"] : []),
    ...(isAsked("listUsers") && users.length === 0 ? ["user"] : []),
  ];
  return none.length === 0 ? undefined : `the archive shows no ${none.join(" and no ")}`;
}
