// The fifteen operations of a fake: checked input and the user in, a success out.
import { fieldsOf, type OperationId, type OperationOutput } from "@call-media/api";

import type { Credentials } from "../options.ts";
import type { Archive, FoundPage, SearchInput } from "./archive.ts";
import type { Behaviour } from "./behaviour.ts";
import { findRecording, toBase64, toStreamAnswer } from "./recording-answer.ts";
import { toJsonAnswer } from "./refusal.ts";
import type { Input } from "./requests.ts";
import { seesFlag, seesUser } from "./rights.ts";
import type { User } from "./seed.ts";
import type { SignIns } from "./sign-ins.ts";

/** What an operation works on. */
export interface Task {
  readonly input: Input;
  readonly request: Request;
  readonly archive: Archive;
  readonly behaviour: Behaviour;
  readonly signIns: SignIns;
  readonly user: User;
}

type Operation = (task: Task) => Response | Promise<Response>;

/** @throws Refusal. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  createToken: ({ input, signIns }) => {
    // The body fits TokenRequest.
    const { token, headers } = signIns.signIn(input.body as Credentials);
    return toJsonAnswer(token, { headers });
  },
  getMetadataByReference: (task) => succeedWith(callsOf(task), task),
  getMetadataByCallId: (task) => succeedWith(callsOf(task), task),
  searchMetadata: (task) => {
    const page = search(task);
    const isCounted = /(?:^|,)\s*count\s*=\s*"?exact"?\s*(?:[,;]|$)/i;
    const headers = isCounted.test(task.request.headers.get("Prefer") ?? "")
      ? { ...toLink(task, page), ...toCount(page) }
      : toLink(task, page);
    return succeedWith(page.calls, task, headers);
  },
  searchMetadataByCustomFields: (task) => {
    const page = search(task);
    const data = page.calls.map(({ record }) => record);
    const recordCount = task.behaviour.recordCount === "all" ? page.total : data.length;
    const body = { ...toEnvelope(data), pageID: task.input.query["pageIndex"], recordCount };
    return toJsonAnswer(body, { headers: { ...toZone(task), ...toLink(task, page) } });
  },
  listUsers: ({ input, archive, user }) => {
    const status = STATUS.get(input.query["status"]);
    const listed = archive.users
      .filter(({ id }) => seesUser(user, id))
      .filter((one) => status === undefined || one.status === status);
    return succeed(listed.map((one) => pick(one, fieldsOf("UserBasicRecord"))));
  },
  getUserAddresses: (task) => succeed(wantedUser(task, fieldsOf("UserAddressRecord"))),
  getUserSecurityRights: (task) => succeed(wantedUser(task, fieldsOf("UserSecurityRecord"))),
  getRecordingByReference: (task) => toBase64Answer("ref_id", task),
  getRecordingByCallId: (task) => toBase64Answer("call_id", task),
  streamRecordingByReference: (task) =>
    toStreamAnswer(recordingBy("ref_id", task), task.request, task.behaviour),
  streamRecordingByCallId: (task) =>
    toStreamAnswer(recordingBy("call_id", task), task.request, task.behaviour),
  listPublicFlags: (task) => succeed(flagsOf(undefined, task)),
  listPrivateFlags: (task) => succeed(flagsOf(Number(task.input.query["user_id"]), task)),
  getChatByCallId: ({ input, archive, user }) =>
    succeed(archive.chat(input.path["call_id"] ?? "", user)),
};

/** The integers behind the names of the status filter (D05); `all` is none of them. */
const STATUS: ReadonlyMap<unknown, number> = new Map([
  ["inactive", 0],
  ["active", 1],
  ["deleted", 2],
]);

type Identifier = "call_id" | "ref_id";

function callsOf({ input, archive, user }: Task) {
  const { call_id: callId, ref_id: reference = "" } = input.path;
  return callId === undefined
    ? archive.byReference(reference, user)
    : archive.byCallId(callId, user);
}

// Input was checked against the schemas of the search: it has these fields, of these types.
function search({ archive, input, user }: Task): FoundPage {
  return archive.search(input as unknown as SearchInput, user);
}

function recordingBy(by: Identifier, task: Task) {
  const { input, user } = task;
  return findRecording({
    calls: callsOf(task),
    by,
    part: Number(input.query["part"] ?? 1),
    user,
  });
}

function toBase64Answer(by: Identifier, task: Task): Response {
  const { filename, bytes } = recordingBy(by, task);
  const data: OperationOutput<"getRecordingByCallId">["data"] = {
    success: true,
    filename,
    base64: toBase64(bytes),
  };
  return succeed(data);
}

function wantedUser<Field extends keyof User>(
  { input, archive, user }: Task,
  fields: readonly Field[],
) {
  return archive.users
    .filter(({ id }) => id === input.query["user_id"] && seesUser(user, id))
    .map((one) => pick(one, fields));
}

function pick<Field extends keyof User>(user: User, fields: readonly Field[]) {
  return Object.fromEntries(fields.map((field) => [field, user[field]]));
}

function flagsOf(userId: number | undefined, { archive, user }: Task) {
  return archive.flags
    .filter((one) => one.userId === userId && seesFlag(user, one, archive.matches))
    .map(({ flag }) => flag);
}

function toEnvelope(data: unknown) {
  return { isError: false, errorMessage: null, data };
}

function succeed(data: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return toJsonAnswer(toEnvelope(data), { headers });
}

function succeedWith(
  calls: FoundPage["calls"],
  task: Task,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return succeed(
    calls.map(({ record }) => record),
    { ...toZone(task), ...headers },
  );
}

/** D34. Of another zone a fake knows the offset alone, which is no name. */
function toZone({ behaviour: { utcOffsetMinutes } }: Task): Record<string, string> {
  const isUtc = utcOffsetMinutes.from === 0 && utcOffsetMinutes.to === 0;
  return isUtc ? { "Archive-Time-Zone": "UTC" } : {};
}

function toLink(
  { input, request }: Task,
  { calls, first, total }: FoundPage,
): Record<string, string> {
  if (first + calls.length >= total || calls.length === 0) return {};
  const { pathname } = new URL(request.url);
  const { pageIndex, startDate, endDate } = input.query;
  const query = `pageIndex=${Number(pageIndex) + 1}&startDate=${String(startDate)}&endDate=${String(endDate)}`;
  return { Link: `<${pathname}?${query}>; rel="next"` };
}

/** RFC 9110, 14.4, with the unit `records` (D10). */
function toCount({ calls, first, total }: FoundPage): Record<string, string> {
  const range = calls.length === 0 ? "*" : `${first}-${first + calls.length - 1}`;
  const headers = { "Content-Range": `records ${range}/${total}` };
  return { ...headers, "Preference-Applied": "count=exact" };
}
