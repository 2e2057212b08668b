// The operator who runs this program, and the run, in the form of the access log.
import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";

/** In a container the system may not know the name of a user, and then throws. */
export function toOperator(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** The identifier shared by all rows of one run of a command. */
export const toRun = () => randomBytes(4).toString("hex");
