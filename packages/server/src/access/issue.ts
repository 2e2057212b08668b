// What an operator hands out: an application with its two secrets, or an API key (D18, D19). Shown once, kept as hashes.
import type { Schema } from "@call-media/api";
import type { CallStore } from "@call-media/store";
import { createName, createSecret, toBearerHash, toKeyHash } from "./secrets.ts";

/** An application of `userId`: its tokens carry that user's rights (D20). The returned secrets are kept nowhere. */
export async function createApplication(
  store: CallStore,
  userId: number,
): Promise<Schema<"TokenRequest">> {
  const secretID = createName("app");
  const secretKey = createSecret();
  await store.credentials.addApplication({
    secretID,
    keyHash: await toKeyHash(secretKey),
    userId,
    createdMs: Date.now(),
  });
  return { secretID, secretKey };
}

/** An API key of `userId`; without `expiresMs` it is good until it is revoked. The returned secret is kept nowhere. */
export async function createApiKey(
  store: CallStore,
  userId: number,
  expiresMs?: number,
): Promise<{ readonly id: string; readonly apiKey: string }> {
  const id = createName("key");
  const apiKey = createSecret();
  const expiry = expiresMs === undefined ? {} : { expiresMs };
  await store.credentials.addBearer({
    id,
    kind: "key",
    hash: toBearerHash(apiKey),
    userId,
    createdMs: Date.now(),
    ...expiry,
  });
  return { id, apiKey };
}
