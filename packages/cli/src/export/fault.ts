// Errors as one thread of an export tells them to another.
import { CommandFailure } from "../failures/command-failure.ts";
import { UsageError } from "../failures/usage-error.ts";
import { toReason } from "./failure.ts";

/** An error that another thread can be told. */
export interface Fault extends Pick<Error, "name" | "message" | "stack"> {
  /** Undefined where the message is not all that the user needs. */
  readonly ending: "failure" | "usage" | undefined;
}

export function toFault(error: unknown): Fault {
  const reason = toReason(error);
  if (reason !== undefined) return { name: "", message: reason, ending: "failure" };
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, ending: error instanceof UsageError ? "usage" : undefined };
}

export function fromFault({ ending, ...fault }: Fault): Error {
  if (ending === "usage") return new UsageError(fault.message);
  return ending === "failure"
    ? new CommandFailure(fault.message)
    : Object.assign(new Error(), fault);
}
