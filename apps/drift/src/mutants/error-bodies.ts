// Mutants of error bodies.
import { body, ERRORS, toErrorAnswer, when, withBody } from "../edits/answers.ts";
import type { Answer, Mutate } from "../exchange.ts";
import { BASE64, SEARCHES, toMutants } from "./mutant.ts";

const edited = (edit: (envelope: Record<string, unknown>) => unknown): Mutate =>
  when(ERRORS, (answer, { method }) =>
    method === "HEAD" || answer.body.length === 0
      ? answer
      : withBody(answer, JSON.stringify(edit(parse(answer)))),
  );

function parse(answer: Answer): Record<string, unknown> {
  return JSON.parse(answer.body.toString()) as Record<string, unknown>; // the service's own errors are objects
}

export const errorBodies = toMutants("error body", "decision", {
  "error-without-is-error": [
    SEARCHES,
    "isError is false in errors",
    edited((envelope) => ({ ...envelope, isError: false })),
  ],
  "error-without-message": [
    "listUsers",
    "errorMessage is null in errors",
    edited((envelope) => ({ ...envelope, errorMessage: null })),
  ],
  "error-with-null-data": [
    "getUserAddresses",
    "data is null in errors",
    edited((envelope) => ({ ...envelope, data: null })),
  ],
  "error-without-data": [
    BASE64,
    "data is missing in errors",
    edited(({ data: _data, ...others }) => others),
  ],
  "error-with-code": [
    "listPrivateFlags",
    "errors also have errorCode",
    edited((envelope) => ({ ...envelope, errorCode: "E1" })),
  ],
  "errors-as-problems": [
    "createToken",
    "errors are problem documents",
    body(
      ERRORS,
      ({ status }) => JSON.stringify({ type: "about:blank", title: "Error", status }),
      "application/problem+json",
    ),
  ],
  "errors-as-html": [
    "getRecordingByCallId",
    "errors are HTML pages",
    body(ERRORS, "<!doctype html><title>Error</title>", "text/html"),
  ],
  "errors-empty": ["getChatByCallId", "errors have no body", body(ERRORS, "", "application/json")],
  "error-names-no-field": [
    SEARCHES,
    "errorMessage of 400 is Bad Request",
    when(400, (answer) => toErrorAnswer(answer, 400, "Bad Request")),
  ],
  "user-error-names-no-field": [
    ["listUsers", "getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
    "errorMessage of 400 is Invalid parameter",
    when(400, (answer) => toErrorAnswer(answer, 400, "Invalid parameter")),
  ],
});
