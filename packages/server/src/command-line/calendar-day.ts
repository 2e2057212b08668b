// Days on the command line, in a file of their own because `serve` does not need them.
import { findDayFault } from "@call-media/store/values";
import { createDayParser } from "@call-media/terminal";

export const toDay = createDayParser((text) => findDayFault(text) === undefined);
