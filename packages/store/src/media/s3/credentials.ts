// The keys that sign requests to a bucket: from the environment, or else from the AWS SDK's settings on this machine.
import { StoreFault } from "../../port/faults.ts";
import type { Environment } from "./address.ts";

export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Returns the keys that are valid now. Throws `StoreFault` if there are none. */
export type FindKeys = () => Promise<Keys>;

export function createKeyFinder(env: Environment): FindKeys {
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  const sessionToken = env["AWS_SESSION_TOKEN"];
  if (accessKeyId && secretAccessKey)
    return async () => ({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) });
  let chain: Promise<FindKeys> | undefined;
  return async () => {
    const find = await (chain ??= loadChain());
    return await find().catch((cause: unknown) => {
      throw new StoreFault(
        "unavailable",
        `no keys for S3: the AWS SDK finds none either (${cause instanceof Error ? cause.message : String(cause)})`,
        { cause },
      );
    });
  };
}

// The SDK covers profiles, web identity, containers and instance roles, and renews expiring keys. Its 40 packages are optional.
async function loadChain(): Promise<FindKeys> {
  const sdk = await import("@aws-sdk/credential-provider-node").catch((cause: unknown) => {
    throw new StoreFault(
      "unavailable",
      "no keys for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install @aws-sdk/credential-provider-node for profiles and roles",
      { cause },
    );
  });
  return sdk.defaultProvider();
}
