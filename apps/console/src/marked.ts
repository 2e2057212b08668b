// Says to the access log what requests are made for (D40). Only the server's own console can: the contract has no place for it.
import { type Access, openSessionAccess } from "./access.ts";

/** The mark of a hand-over; `purpose` is what it is for, in the user's words. The server refuses one that is not a line of text. */
export function toHandOver(purpose = ""): string {
  const line = purpose.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return line === "" ? "hand-over" : `hand-over; for=${encodeURIComponent(line)}`;
}

/** The same access for requests to save a recording, to draw its wave, or of a hand-over. */
export const markedAs = (access: Access, mark: string): Access =>
  access.kind === "session" ? openSessionAccess(access.baseUrl, mark) : access;
