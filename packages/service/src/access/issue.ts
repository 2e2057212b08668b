// Credentials for operators to issue: an application with its two secrets, or an API key (D18, D19). Secrets are shown once and stored
// as hashes.
import type { Schema } from "@call-media/api";
import type { CallStore } from "@call-media/store";
import { createName, createSecret, toBearerHash, toKeyHash } from "./secrets.ts";

interface Holder {
  readonly userId: number;
  /** The issuer's name in the access log. */
  readonly operator: string;
}

/** An application of a user: its tokens have that user's rights (D20). The returned secrets are not stored. */
export async function createApplication(
  store: CallStore,
  { userId, operator }: Holder,
): Promise<Schema<"TokenRequest">> {
  const secretID = createName("app");
  const secretKey = createSecret("key");
  await store.credentials.addApplication(
    { secretID, keyHash: await toKeyHash(secretKey), userId, createdMs: Date.now() },
    { operation: "app create", operator, asked: { secretID, user_id: userId }, outcome: "done" },
  );
  return { secretID, secretKey };
}

/** An API key of a user; without `expiresMs` it is valid until revoked. The returned secret is not stored. */
export async function createApiKey(
  store: CallStore,
  { userId, operator, expiresMs }: Holder & { readonly expiresMs?: number | undefined },
): Promise<{ readonly id: string; readonly apiKey: string }> {
  const id = createName("key");
  const apiKey = createSecret("key");
  const expiry = expiresMs === undefined ? {} : { expiresMs };
  const expires = expiresMs === undefined ? null : new Date(expiresMs).toISOString();
  await store.credentials.addBearer(
    { id, kind: "key", hash: toBearerHash(apiKey), userId, createdMs: Date.now(), ...expiry },
    { operation: "key create", operator, asked: { id, user_id: userId, expires }, outcome: "done" },
  );
  return { id, apiKey };
}

export { toBearerHash, toKeyHash } from "./secrets.ts";
