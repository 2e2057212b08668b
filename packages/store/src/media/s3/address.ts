// The address of recordings in a bucket: `s3://bucket/prefix?endpoint=&region=`.
import { ArchiveError } from "../../port/faults.ts";

/** The environment variables of the AWS tools. They hold the secrets and the settings that an address leaves open. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Bucket {
  /** `s3://bucket/prefix`, for messages. */
  readonly name: string;
  /** The URL of the bucket itself; ends in a slash. */
  readonly url: URL;
  /** Precedes each key; empty, or ends in a slash. */
  readonly prefix: string;
  readonly region: string;
}

const OPTIONS: ReadonlySet<string> = new Set(["endpoint", "region"]);

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html; others allow capitals and underscores.
const BUCKET_NAME = /^[\w][\w.-]{1,61}[\w]$/;

// Allows no character that a signature or a list would have to escape.
const PREFIX = /^(?:[\w.-]+\/)*$/;

const DEFAULT_REGION = "us-east-1";

/** Throws `ArchiveError`, whose message never contains a secret. */
export function parseBucket(address: string, env: Environment): Bucket {
  const [, bucket = "", path = "", query = ""] =
    /^s3:\/\/([^/?#]*)([^?#]*)(?:\?(.*))?$/s.exec(address) ?? [];
  if (bucket.includes("@") || bucket.includes(":")) throw new ArchiveError(KEYS_IN_ADDRESS);
  const options = new URLSearchParams(query);
  for (const name of options.keys())
    if (/key|secret|token|credential|password/i.test(name)) throw new ArchiveError(KEYS_IN_ADDRESS);
    else if (!OPTIONS.has(name))
      throw new ArchiveError(`an address of s3: has the options endpoint and region, not ${name}`);
  const prefix = path.slice(1) === "" ? "" : `${path.slice(1).replace(/\/$/, "")}/`;
  if (!BUCKET_NAME.test(bucket) || !PREFIX.test(prefix))
    throw new ArchiveError(
      `s3://${bucket}${path} names no bucket: write s3://BUCKET or s3://BUCKET/PREFIX, in letters, digits, and . - _`,
    );
  const region = options.get("region") ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
  const known = region || DEFAULT_REGION;
  const endpoint =
    options.get("endpoint") ?? env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"] ?? "";
  const name = `s3://${bucket}/${prefix}`.replace(/\/$/, "");
  return { name, url: toUrl(bucket, endpoint, known), prefix, region: known };
}

const KEYS_IN_ADDRESS =
  "an address of s3: has no keys in it, as everybody on this machine could read them: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

// Amazon's certificate covers only one label before the host name, so a bucket whose name contains a dot goes into the path.
function toUrl(bucket: string, endpoint: string, region: string): URL {
  if (endpoint === "" && !bucket.includes("."))
    return new URL(`https://${bucket}.s3.${region}.amazonaws.com/`);
  const base = endpoint === "" ? `https://s3.${region}.amazonaws.com` : endpoint;
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search + url.hash !== "")
    throw new ArchiveError("the endpoint of an s3: address is a URL, like https://s3.example.com");
  if (url.username + url.password !== "") throw new ArchiveError(KEYS_IN_ADDRESS);
  return new URL(`${url.pathname.replace(/\/$/, "")}/${bucket}/`, url);
}
