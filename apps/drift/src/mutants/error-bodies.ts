// The bodies of errors.
import { body, ERRORS, toErrorAnswer, when, withBody } from "../edits/answers.ts";
import type { Answer, Mutate } from "../exchange.ts";
import { BASE64, type Mutant, SEARCHES } from "./mutant.ts";

const edited = (edit: (envelope: Record<string, unknown>) => unknown): Mutate =>
  when(ERRORS, (answer, { method }) =>
    method === "HEAD" || answer.body.length === 0
      ? answer
      : withBody(answer, JSON.stringify(edit(parse(answer)))),
  );

function parse(answer: Answer): Record<string, unknown> {
  return JSON.parse(answer.body.toString()) as Record<string, unknown>; // the service's own errors are objects
}

export const errorBodies: readonly Mutant[] = [
  {
    id: "error-without-is-error",
    class: "error body",
    operation: SEARCHES,
    contract: "decision",
    says: "isError is false in errors",
    mutate: edited((envelope) => ({ ...envelope, isError: false })),
  },
  {
    id: "error-without-message",
    class: "error body",
    operation: "listUsers",
    contract: "decision",
    says: "errorMessage is null in errors",
    mutate: edited((envelope) => ({ ...envelope, errorMessage: null })),
  },
  {
    id: "error-with-null-data",
    class: "error body",
    operation: "getUserAddresses",
    contract: "decision",
    says: "data is null in errors",
    mutate: edited((envelope) => ({ ...envelope, data: null })),
  },
  {
    id: "error-without-data",
    class: "error body",
    operation: BASE64,
    contract: "decision",
    says: "data is missing in errors",
    mutate: edited(({ data: _data, ...others }) => others),
  },
  {
    id: "error-with-code",
    class: "error body",
    operation: "listPrivateFlags",
    contract: "decision",
    says: "errors also have errorCode",
    mutate: edited((envelope) => ({ ...envelope, errorCode: "E1" })),
  },
  {
    id: "errors-as-problems",
    class: "error body",
    operation: "createToken",
    contract: "decision",
    says: "errors are problem documents",
    mutate: body(
      ERRORS,
      ({ status }) => JSON.stringify({ type: "about:blank", title: "Error", status }),
      "application/problem+json",
    ),
  },
  {
    id: "errors-as-html",
    class: "error body",
    operation: "getRecordingByCallId",
    contract: "decision",
    says: "errors are HTML pages",
    mutate: body(ERRORS, "<!doctype html><title>Error</title>", "text/html"),
  },
  {
    id: "errors-empty",
    class: "error body",
    operation: "getChatByCallId",
    contract: "decision",
    says: "errors have no body",
    mutate: body(ERRORS, "", "application/json"),
  },
  {
    id: "error-names-no-field",
    class: "error body",
    operation: SEARCHES,
    contract: "decision",
    says: "errorMessage of 400 is Bad Request",
    mutate: when(400, (answer) => toErrorAnswer(answer, 400, "Bad Request")),
  },
  {
    id: "user-error-names-no-field",
    class: "error body",
    operation: ["listUsers", "getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
    contract: "decision",
    says: "errorMessage of 400 is Invalid parameter",
    mutate: when(400, (answer) => toErrorAnswer(answer, 400, "Invalid parameter")),
  },
];
