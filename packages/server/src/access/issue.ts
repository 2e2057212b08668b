// Issues credentials for operators, and adds a row to the access log with the name of the system user who runs this
// program.
import type { Schema } from "@call-media/api";
import * as service from "@call-media/service/credentials";
import type { CallStore } from "@call-media/store";
import { toOperator } from "../command-line/operator.ts";

/** An application of `userId` (D18): its tokens have that user's rights (D20). The returned secrets are not stored. */
export const createApplication = (
  store: CallStore,
  userId: number,
): Promise<Schema<"TokenRequest">> =>
  service.createApplication(store, { userId, operator: toOperator() });

/** An API key of `userId` (D19); without `expiresMs` it does not expire. The returned secret is not stored. */
export const createApiKey = (
  store: CallStore,
  userId: number,
  expiresMs?: number,
): Promise<{ readonly id: string; readonly apiKey: string }> =>
  service.createApiKey(store, { userId, operator: toOperator(), expiresMs });
