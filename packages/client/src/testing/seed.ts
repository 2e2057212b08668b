// What a fake is filled with, and the whole records that are made of it.
import type { Schema } from "@call-media/api";
import { fieldsOf } from "@call-media/api";

import type { Credentials } from "../options.ts";
import type { Bytes } from "../recordings/bytes.ts";
import type { Behaviour } from "./behaviour.ts";

/** A recording of a call. */
export interface FakeRecording {
  readonly filename: string;
  readonly bytes: Bytes;
}

/** A record of a call: any of its fields, and its recordings in order of their start. What is left out is null. */
export type FakeCall = Partial<Omit<Schema<"MetadataRecord">, "recordings">> & {
  readonly recordings?: readonly FakeRecording[];
  /** Session and master identifiers, by which a search by reference finds it too. */
  readonly references?: readonly string[];
};

/** A user with profile, address and rights. What is left out of the rights is granted, but for `is_admin`. */
export type FakeUser = Partial<
  Schema<"UserBasicRecord"> & Schema<"UserAddressRecord"> & Schema<"UserSecurityRecord">
> & {
  readonly id: number;
  /** How their application signs in. Default: made of the id. */
  readonly credentials?: Credentials;
  /** Default: made of the id. */
  readonly apiKey?: string;
};

type FlagRecord = Schema<"PublicFlagRecord"> | Schema<"PrivateFlagRecord">;

/** A flag. A private one belongs to the user `user_id`. */
export type FakeFlag = Partial<FlagRecord> & {
  readonly Name: string;
  readonly user_id?: number;
};

/** What a fake holds. Without users there is one, an administrator with the id 1. */
export interface FakeArchive {
  readonly calls?: readonly FakeCall[] | undefined;
  readonly users?: readonly FakeUser[] | undefined;
  readonly flags?: readonly FakeFlag[] | undefined;
  readonly chats?: readonly Partial<Schema<"ChatMessageRecord">>[] | undefined;
}

/** A call as it is kept. */
export interface Call {
  readonly record: Schema<"MetadataRecord">;
  readonly recordings: readonly FakeRecording[];
  /** By which a search by reference finds it. */
  readonly references: ReadonlySet<string | null>;
  /** Milliseconds since 1970; undefined for a call without a datetime, which is in no range (D09). */
  readonly instantMs: number | undefined;
}

/** Every field that the contract has of a user. */
export type User = Required<FakeUser>;

const CREATED = "2026-01-01T00:00:00Z";

/** @throws TypeError where the datetime of a call says no moment. */
export function toCall(call: FakeCall, { utcOffsetMinutes }: Behaviour): Call {
  const { recordings = [], references = [], ...fields } = call;
  const names = recordings.map(({ filename }) => filename).join("; ") || null;
  // In the order of the contract (D27).
  const empty = fieldsOf("MetadataRecord").map((field) => [field, null]);
  const record = { ...Object.fromEntries(empty), ...fields, recordings: names };
  const instantMs =
    record.datetime === null ? undefined : toInstantMs(record.datetime, utcOffsetMinutes.from);
  return { record, recordings, references: new Set([record.ref_id, ...references]), instantMs };
}

const DATETIME =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?)? ?(?:([Zz])|([+-]\d\d):?(\d\d)?)?$/;

/** Text without an offset is in the archive's time zone (D03), of which a fake knows the offset alone. */
function toInstantMs(text: string, offsetMinutes: number): number {
  const [, day, time = "00:00", seconds = ":00", fraction = "0", utc, hours, minutes = "00"] =
    DATETIME.exec(text) ?? [];
  const zone = hours === undefined ? "Z" : `${hours}:${minutes}`;
  const written = Date.parse(`${day}T${time}${seconds}.${fraction.slice(0, 3)}${zone}`);
  if (Number.isNaN(written)) throw new TypeError(`datetime ${JSON.stringify(text)} is no moment`);
  const isLocal = utc === undefined && hours === undefined;
  return isLocal ? written - offsetMinutes * 60_000 : written;
}

export function toUser(user: FakeUser): User {
  const rights = fieldsOf("UserSecurityRecord").map((field) => [
    field,
    field.startsWith("allowed_") ? [] : field.startsWith("allow_"),
  ]);
  const address = fieldsOf("UserAddressRecord").map((field) => [field, ""]);
  return {
    ...Object.fromEntries([...address, ...rights]),
    ...PROFILE,
    username: `user-${user.id}`,
    // The same in every run, so that they can stand in a test.
    credentials: { secretID: `application-${user.id}`, secretKey: `secret-key-of-user-${user.id}` },
    apiKey: `api-key-of-user-${user.id}`,
    ...user,
  };
}

const PROFILE = {
  email_id: "",
  title: null,
  first_name: "",
  middle_name: null,
  last_name: null,
  status: 1,
  group: "",
  created_date: CREATED,
  modified_date: null,
  phone_country_code: "",
  phone_number: "",
  external_system_id: null,
  search_rights: null,
} satisfies Partial<User>;

/** A flag and whose it is; a public one is everybody's. */
export interface Flag {
  readonly flag: FlagRecord;
  readonly userId: number | undefined;
}

export function toFlag({ user_id: userId, ...given }: FakeFlag, index: number): Flag {
  const { Id = index + 1, Type = userId === undefined ? "Public" : "Private", Name } = given;
  const { DateCreated = CREATED, DateModified = CREATED } = given;
  return { flag: { Id, Type, Name, DateCreated, DateModified }, userId };
}

export function toMessage(
  given: Partial<Schema<"ChatMessageRecord">>,
): Schema<"ChatMessageRecord"> {
  const { call_id = null, transcript = null, datetime = CREATED } = given;
  const { party_type = "Agent", label = null, room_id = "room-1" } = given;
  return { call_id, transcript, datetime, party_type, label, room_id };
}
