// The place of an archive: the options that every command has for it, and their variables.
import type { Places } from "@call-media/store/open";
import type { Command } from "commander";
import { io, toWholeNumber, UsageError } from "@call-media/terminal";

export interface PlaceFlags {
  readonly data?: string;
  readonly records?: string;
  readonly media?: string;
}

/** For commands that read records from a replica, or check it. */
export interface ReplicaFlags extends PlaceFlags {
  readonly recordsReplica?: string;
  readonly replicaLag: number;
}

const RECORDS = "CALL_MEDIA_RECORDS";
const MEDIA = "CALL_MEDIA_MEDIA";
const REPLICA = "CALL_MEDIA_RECORDS_REPLICA";

const DEFAULT_LAG_SECONDS = 5;

/** `data`: the description of its directory for this command. */
export function addPlaces(command: Command, data = "the folder of the archive"): Command {
  return command
    .option("--data <dir>", data)
    .option(
      "--records <address>",
      `where the records are, instead of --data: sqlite:DIR or postgres://USER@HOST/NAME (env: ${RECORDS})`,
    )
    .option(
      "--media <address>",
      `where the recordings are: file:DIR or s3://BUCKET/PREFIX (env: ${MEDIA}; default: media in --data)`,
    );
}

export function addReplica(command: Command): Command {
  return command
    .option(
      "--records-replica <address>",
      `a standby of the records in PostgreSQL, for searches and look-ups of records (env: ${REPLICA})`,
    )
    .option(
      "--replica-lag <seconds>",
      "how far the replica may be behind; beyond that the primary is asked, 2 to 3600",
      toWholeNumber(2, 3_600),
      DEFAULT_LAG_SECONDS,
    );
}

/** `toPlaces` with the replica. Without --records-replica a directory has none. Throws `UsageError`. */
export function toReplicated(flags: ReplicaFlags, fallback?: string): Places {
  const { recordsReplica, replicaLag } = flags;
  const places = toPlaces(flags, fallback);
  if (recordsReplica !== undefined) checkNoSecret("--records-replica", recordsReplica, REPLICA);
  const address = recordsReplica ?? (flags.data === undefined ? io().env[REPLICA] : undefined);
  if (!address) return places;
  return { ...places, replica: { address, maxLagMs: replicaLag * 1_000 } };
}

/** Without --data and --records, `fallback` is the directory. Throws `UsageError`. */
export function toPlaces({ data, records, media }: PlaceFlags, fallback?: string): Places {
  if (data !== undefined && records !== undefined)
    throw new UsageError("--data and --records both say where the records are: give one of them");
  if (records !== undefined) checkNoSecret("--records", records);
  const { env } = io();
  if (data !== undefined && media === undefined && env[MEDIA])
    throw new UsageError(
      `--data keeps recordings in its own folder, and ${MEDIA} names another place: say which one with --media`,
    );
  const place = data ?? records ?? (env[RECORDS] || fallback);
  if (place === undefined)
    throw new UsageError(
      `no archive is named: give --data with its folder, or --records with an address, or set ${RECORDS}`,
    );
  // A directory may have any name, even one that looks like a URL.
  return {
    records: data === undefined ? place : `sqlite:${data}`,
    media: media ?? (env[MEDIA] || undefined),
    env,
  };
}

/** Throws `UsageError` for an address that contains a password. */
export function checkNoSecret(option: string, address: string, variable = RECORDS): void {
  if (SECRET.test(address)) throw new UsageError(`${option} ${toHide(variable)}`);
}

// RFC 3986, section 3.2.1, and the options in which libpq accepts secrets.
const SECRET = /^[\w+.-]+:\/\/[^/?#]*:[^/?#]*@|[?&](?:password|sslpassword)=/i;

// Every user of the machine can read a program's arguments, and shells store them in their histories. Addresses of
// buckets never contain secrets: the store rejects them.
const toHide = (variable: string) =>
  `has a password in it, which everybody on this machine could read: set ${variable} to the address, or use PGPASSFILE or PGPASSWORD`;

/** The places without their secrets, for people. */
export function describePlaces({ records, media }: Places): string {
  return [records, ...(media === undefined ? [] : [media])].map(show).join(" and ");
}

/** The same as command line options. */
export function toPlaceOptions({ records, media }: Places): string {
  if (media === undefined) return `--data ${show(records)}`;
  return `--records ${show(records)} --media ${show(media)}`;
}

const show = (address: string): string =>
  address.replace(/^sqlite:/, "").replace(/^([\w+.-]+:\/\/)(?:[^/?#]*@)?([^?#]*).*$/s, "$1$2");

/** Throws `UsageError`: archives in this place do not support the command. */
export function unable(what: string): never {
  throw new UsageError(`an archive in these places cannot ${what}`);
}
