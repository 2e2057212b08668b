// The operator who runs this program, and the run, in the form of the access log.
import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";

/** In a container the system may have no name for a user, and then refuses to say anything of them. */
export function toOperator(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** What the rows of one run of a command have in common. */
export const toRun = () => randomBytes(4).toString("hex");
