// Anybody may have put something else in the place of a file. Who opens a pipe that nobody writes to waits without end, in one of
// the few threads that read files.
import { constants } from "node:fs";

/** Opens for reading and never waits; what it opens may be no file. Windows has no such pipes, and no such flag. */
export const READ_AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;
