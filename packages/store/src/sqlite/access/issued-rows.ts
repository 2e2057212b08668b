// Converts credentials to rows of access.db, by column name.
import type { Application, Bearer, Revocable } from "../../port/index.ts";

export const toApplicationRow = (application: Revocable<Application>) => ({
  secret_id: application.secretID,
  key_hash: application.keyHash,
  user_id: application.userId,
  created_ms: application.createdMs,
  revoked_ms: application.revokedMs ?? null,
});

export const toBearerRow = (bearer: Revocable<Bearer>) => ({
  hash: bearer.hash,
  id: bearer.id,
  kind: bearer.kind,
  user_id: bearer.userId,
  secret_id: bearer.secretID ?? null,
  key_id: bearer.keyId ?? null,
  created_ms: bearer.createdMs,
  expires_ms: bearer.expiresMs ?? null,
  revoked_ms: bearer.revokedMs ?? null,
});
