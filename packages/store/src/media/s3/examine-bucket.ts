// Examines a bucket. Each permission is tried on a key that does not exist, so nothing changes. Only the condition that ledger entries
// are written with needs an object, which is created once and stays.
import type { Finding } from "../../port/finding.ts";
import { isFault } from "../../port/faults.ts";
import { knowsCondition } from "./bucket-ledger.ts";
import { type S3Client, type S3Request, toRefusal } from "./client.ts";
import { hasVersions } from "./delete-object.ts";
import { isUnknownThere } from "./list-objects.ts";
import { toKey } from "./object-state.ts";
import { abortUpload, beginUpload } from "./upload.ts";
import { listElements, readText } from "./xml.ts";

const NOTHING = toKey("0".repeat(64));

/** Does not throw `StoreFault`: it returns a finding instead. */
export async function examineBucket(client: S3Client): Promise<readonly Finding[]> {
  const isAway = await findFault(() => list(client, "s3:ListBucket", { "list-type": "2" }));
  if (isAway !== undefined && toRefusal(isAway)?.code !== "AccessDenied")
    return [toFinding(client, isAway)];
  const isVersioned = await hasVersions(client).catch(() => false);
  const faults: unknown[] = [isAway];
  for (const attempt of toAttempts(client, isVersioned)) faults.push(await findFault(attempt));
  return [
    ...faults.filter((fault) => fault !== undefined).map((fault) => toFinding(client, fault)),
    ...(await examineCondition(client)),
    ...examineTransport(client),
    ...(await examineLifecycle(client)),
    ...(await examineLock(client)),
  ];
}

function toAttempts(client: S3Client, isVersioned: boolean): readonly (() => Promise<unknown>)[] {
  const tryNothing = (request: Omit<S3Request, "key">) => client.send({ ...request, key: NOTHING });
  return [
    () => tryNothing({ method: "GET", action: "s3:GetObject" }),
    async () => {
      const uploadId = await beginUpload(client, NOTHING);
      await abortUpload(client, NOTHING, uploadId);
    },
    () => list(client, "s3:ListBucketMultipartUploads", { uploads: "" }),
    () => hasVersions(client),
    ...(isVersioned
      ? [
          () => list(client, "s3:ListBucketVersions", { versions: "" }),
          // No version has this id. Without an id, S3 would write a delete marker.
          () => {
            const query = { versionId: "null" };
            return tryNothing({ method: "DELETE", action: "s3:DeleteObjectVersion", query });
          },
        ]
      : [() => tryNothing({ method: "DELETE", action: "s3:DeleteObject" })]),
  ];
}

async function list(client: S3Client, action: string, query: Record<string, string>) {
  const { prefix } = client.bucket;
  const kind = "uploads" in query ? "max-uploads" : "max-keys";
  await client.send({ method: "GET", action, query: { ...query, prefix, [kind]: "1" } });
}

/** A missing object is not a fault, nor is a request that the server does not support. */
async function findFault(attempt: () => Promise<unknown>): Promise<unknown> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    return isFault(error, "lost") || isUnknownThere(error) ? undefined : error;
  }
}

function toFinding({ bucket }: S3Client, fault: unknown): Finding {
  if (!isFault(fault, "unavailable")) throw fault;
  const isRefused = toRefusal(fault)?.status === 403;
  const todo = isRefused
    ? "change the policy of the bucket or of the key"
    : "make it reachable, or correct the address and the keys";
  return { level: "error", what: fault.message, where: bucket.name, todo };
}

async function examineCondition(client: S3Client): Promise<Finding[]> {
  try {
    if (await knowsCondition(client)) return [];
    const what =
      "the bucket does not know If-None-Match: of two purges at the same time one would replace the ledger entry of the other";
    const todo = "upgrade its server, or keep the recordings in a folder or in another bucket";
    return [{ level: "error", what, where: client.bucket.name, todo }];
  } catch (fault) {
    // Another finding names the missing permission to write.
    return toRefusal(fault)?.status === 403 ? [] : [toFinding(client, fault)];
  }
}

function examineTransport({ bucket: { name: where, url } }: S3Client): Finding[] {
  const isLocal = /^(?:localhost|127\..*|\[::1\])$/.test(url.hostname);
  if (url.protocol === "https:" || isLocal) return [];
  const what = `recordings travel unencrypted to ${url.host}`;
  return [warning(what, where, "give an endpoint that begins with https:")];
}

// The archive deletes what its own uploads leave behind; the bucket's rule does so even when the archive does not run.
async function examineLifecycle(client: S3Client): Promise<Finding[]> {
  const { name: where, prefix } = client.bucket;
  const found = await readSetting(client, "lifecycle", "s3:GetLifecycleConfiguration");
  if (found === undefined) return [];
  const rules = listElements(found, "Rule").filter((rule) => {
    const of = readText(rule, "Prefix") ?? "";
    const isHere = of.startsWith(prefix) || prefix.startsWith(of);
    return isHere && readText(rule, "Status") !== "Disabled";
  });
  const removes = (rule: string) =>
    listElements(rule, "Expiration").some((when) => /<(?:Days|Date)>/.test(when));
  return [
    ...(rules.some((rule) => rule.includes("AbortIncompleteMultipartUpload"))
      ? []
      : [warning("no lifecycle rule removes uploads that were cut off", where, ADD_RULE)]),
    ...(rules.some(removes)
      ? [warning("a lifecycle rule removes recordings by their age", where, REMOVE_RULE)]
      : []),
  ];
}

const ADD_RULE = "add a rule with AbortIncompleteMultipartUpload after 7 days";
const REMOVE_RULE = 'remove it: "purge --before" removes calls with their recordings';

async function examineLock(client: S3Client): Promise<Finding[]> {
  const found = await readSetting(client, "object-lock", "s3:GetBucketObjectLockConfiguration");
  const [rule] = listElements(found ?? "", "DefaultRetention");
  if (rule === undefined) return [];
  const days = readText(rule, "Days");
  const span = days === undefined ? `${readText(rule, "Years")} years` : `${days} days`;
  const what = `the bucket locks each recording for ${span} (${readText(rule, "Mode")})`;
  return [warning(what, client.bucket.name, "know that purge cannot remove it before: it says so")];
}

/** Empty if it is not set; undefined if it may not be read, or if the server does not know it. */
async function readSetting(
  client: S3Client,
  name: string,
  action: string,
): Promise<string | undefined> {
  return await client.send({ method: "GET", action, query: { [name]: "" } }).then(
    ({ body }) => body,
    (error: unknown) => (isFault(error, "lost") ? "" : undefined),
  );
}

const warning = (what: string, where: string, todo: string): Finding => ({
  level: "warning",
  what,
  where,
  todo,
});
