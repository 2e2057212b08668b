// A finding of the doctor.

import type { Finding } from "../../../port/finding.ts";

export type { Finding };

export const RESTORE =
  'restore the last backup into another folder ("restore"), and look for what damaged this one: disk, memory, a copy made while it was in use';

export const error = (what: string, where: string, todo: string): Finding => ({
  level: "error",
  what,
  where,
  todo,
});

export const warning = (what: string, where: string, todo: string): Finding => ({
  level: "warning",
  what,
  where,
  todo,
});
