// Issues credentials for operators, with a row of the access log in the name of the system's user who runs this
// program.
import type { Schema } from "@call-media/api";
import * as service from "@call-media/service/credentials";
import type { CallStore } from "@call-media/store";
import { toOperator } from "../command-line/operator.ts";

/** An application of `userId` (D18): its tokens carry that user's rights (D20). The returned secrets are kept nowhere. */
export const createApplication = (
  store: CallStore,
  userId: number,
): Promise<Schema<"TokenRequest">> =>
  service.createApplication(store, { userId, operator: toOperator() });

/** An API key of `userId` (D19), without an end unless `expiresMs` is given. The returned secret is kept nowhere. */
export const createApiKey = (
  store: CallStore,
  userId: number,
  expiresMs?: number,
): Promise<{ readonly id: string; readonly apiKey: string }> =>
  service.createApiKey(store, { userId, operator: toOperator(), expiresMs });
