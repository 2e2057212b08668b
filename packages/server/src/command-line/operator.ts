// The operator who runs this program, in the form of the access log.
import { userInfo } from "node:os";

/** In a container the system may have no name for a user, and then refuses to say anything of them. */
export function toOperator(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
