// The manifest: every requirement by its id.
import { http } from "./http.ts";
import { metadata } from "./metadata.ts";
import { recordings } from "./recordings.ts";
import type { Requirement } from "./requirement.ts";
import { rights } from "./rights.ts";
import { token } from "./token.ts";
import { users } from "./users.ts";

const all = { ...http, ...token, ...metadata, ...users, ...recordings, ...rights };

export type RequirementId = keyof typeof all;

export const manifest: Readonly<Record<RequirementId, Requirement>> = all;

/** Where a requirement is written, as a report shows it. */
export function toSourceText({ source }: Requirement): string {
  if ("line" in source) return source.line;
  return "decision" in source ? source.decision : `spec: ${source.document}`;
}

/** Whether `interface` alone, the milder yardstick, holds a service to it. */
export function isStated({ source }: Requirement): boolean {
  return "line" in source;
}
