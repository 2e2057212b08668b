// What becomes of a request that failed: the error's envelope, or a connection that is cut. No failure leaves otherwise.
import type { OutgoingHttpHeaders } from "node:http";
import { isFault, StoreFault } from "@call-media/store";
import type { AccessRecord } from "./access/access-record.ts";
import { internalError, searchRefused, ServiceError, unavailable } from "./http/errors.ts";
import type { Exchange } from "./http/exchange.ts";
import { send, toErrorReply, withHeaders } from "./http/reply.ts";
import { toTooManyFiles } from "./open-files.ts";

/** Answers with the error's envelope, or cuts the answer under way; returns what the operator should know of. */
export async function refuse(
  exchange: Exchange,
  error: unknown,
  { headers, record }: { headers: OutgoingHttpHeaders; record: AccessRecord },
): Promise<unknown> {
  const { response } = exchange;
  const isGone = response.destroyed;
  let refusal = toRefusal(error);
  if (response.headersSent || isGone) {
    // Cutting the connection is the only way left to say that the body is not whole.
    response.destroy();
    // Should it fail, the row that is there already says more than was sent, never less.
    await record.cut(exchange).catch(() => {});
  } else {
    refusal = await keepRow(exchange, refusal, record);
    await send(exchange, withHeaders(toErrorReply(refusal), headers), record);
  }
  return refusal.status >= 500 && !isGone ? (refusal.cause ?? refusal) : undefined;
}

// Not even a refusal leaves without its row.
async function keepRow(
  exchange: Exchange,
  refusal: ServiceError,
  record: AccessRecord,
): Promise<ServiceError> {
  try {
    await record.begin(exchange, refusal.status);
    return refusal;
  } catch (error) {
    return toRefusal(error);
  }
}

function toRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isFault(error, "busy")) return searchRefused(error);
  const tooManyFiles = toTooManyFiles(error);
  if (tooManyFiles !== undefined) return unavailable(tooManyFiles);
  return error instanceof StoreFault ? unavailable(error) : internalError(error);
}
