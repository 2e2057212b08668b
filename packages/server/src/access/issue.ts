// What an operator hands out: an application with its two secrets, or an API key (D18, D19). Shown once, kept as hashes.
import type { Schema } from "@call-media/api";
import type { CallStore } from "@call-media/store";
import { toOperator } from "../command-line/operator.ts";
import { createName, createSecret, toBearerHash, toKeyHash } from "./secrets.ts";

/**
 * An application of `userId`: its tokens carry that user's rights (D20). The returned secrets are kept nowhere. The access log
 * gets a row with the name of the system's user who runs this program.
 */
export async function createApplication(
  store: CallStore,
  userId: number,
): Promise<Schema<"TokenRequest">> {
  const secretID = createName("app");
  const secretKey = createSecret();
  await store.credentials.addApplication(
    { secretID, keyHash: await toKeyHash(secretKey), userId, createdMs: Date.now() },
    { operation: "app create", operator: toOperator(), asked: { secretID, user_id: userId } },
  );
  return { secretID, secretKey };
}

/** An API key of `userId`; without `expiresMs` it is good until it is revoked. The returned secret is kept nowhere; the row: see above. */
export async function createApiKey(
  store: CallStore,
  userId: number,
  expiresMs?: number,
): Promise<{ readonly id: string; readonly apiKey: string }> {
  const id = createName("key");
  const apiKey = createSecret();
  const expiry = expiresMs === undefined ? {} : { expiresMs };
  const expires = expiresMs === undefined ? null : new Date(expiresMs).toISOString();
  await store.credentials.addBearer(
    { id, kind: "key", hash: toBearerHash(apiKey), userId, createdMs: Date.now(), ...expiry },
    { operation: "key create", operator: toOperator(), asked: { id, user_id: userId, expires } },
  );
  return { id, apiKey };
}
