// Generated from spec/openapi.yaml: do not edit.
// Command: pnpm generate
import type { Schema } from "../src/operations.ts";

/** A bearer token, to be sent as `Authorization` with every other request. */
export type TokenResponse = { [Field in keyof Schema<"TokenResponse">]: Schema<"TokenResponse">[Field] };

/** Metadata of one call. Every field is always present, in this order, and null when the archive holds no value. */
export type MetadataRecord = { [Field in keyof Schema<"MetadataRecord">]: Schema<"MetadataRecord">[Field] };

/** Profile of one user. */
export type UserBasicRecord = { [Field in keyof Schema<"UserBasicRecord">]: Schema<"UserBasicRecord">[Field] };

/** Address of one user. */
export type UserAddressRecord = { [Field in keyof Schema<"UserAddressRecord">]: Schema<"UserAddressRecord">[Field] };

/** What a user may see and do. For each allow_all_X / allowed_X pair the user may see either everything (allow_all_X is true) or the values that are listed; the list is empty when allow_all_X is true or nothing is granted. */
export type UserSecurityRecord = { [Field in keyof Schema<"UserSecurityRecord">]: Schema<"UserSecurityRecord">[Field] };

/** A recording, base64-encoded. For long recordings prefer the streams, which need no decoding. */
export type RecordingRecord = { [Field in keyof Schema<"RecordingRecord">]: Schema<"RecordingRecord">[Field] };

/** A public flag, which every permitted user may see. The field names are capitalised. */
export type PublicFlagRecord = { [Field in keyof Schema<"PublicFlagRecord">]: Schema<"PublicFlagRecord">[Field] };

/** A private flag, which belongs to one user. The field names are capitalised. */
export type PrivateFlagRecord = { [Field in keyof Schema<"PrivateFlagRecord">]: Schema<"PrivateFlagRecord">[Field] };

/** One message of a chat, or one turn of a transcribed call. */
export type ChatMessageRecord = { [Field in keyof Schema<"ChatMessageRecord">]: Schema<"ChatMessageRecord">[Field] };

/** What each operation returns, with the documentation of the operation. */
export interface DescribedOperations {
  /** Create an access token. Exchanges the credentials of an application for a bearer token. When the token has expired the client repeats this call. A client must not follow a redirect here, since it would hand the secret to another host. */
  createToken: TokenResponse;
  /** Call records by reference. Returns every call record with that reference, session or master identifier that the caller may see, newest first. None is not an error. */
  getMetadataByReference: MetadataRecord[];
  /** Call records by call identifier. Returns every call record with that call identifier that the caller may see, newest first. None is not an error. */
  getMetadataByCallId: MetadataRecord[];
  /** Search by custom or security fields. Reads call records of a range of days by their custom or security fields and changes nothing. Records without a datetime are in no range. Only records the caller may see are found and counted. */
  searchMetadataByCustomFields: MetadataRecord[];
  /** Search by named fields. Reads call records of a range of days by named fields and changes nothing. Records without a datetime are in no range. Only records the caller may see are found and counted. */
  searchMetadata: MetadataRecord[];
  /** List users. Returns the profiles of all users with a status. A caller who is not an administrator gets only their own profile, if its status fits. */
  listUsers: UserBasicRecord[];
  /** Address of a user. Returns the address of a user. If the caller is not an administrator, any other user is treated as unknown: the answer is 200 and empty. */
  getUserAddresses: UserAddressRecord[];
  /** Security rights of a user. Returns the security rights of a user. If the caller is not an administrator, any other user is treated as unknown: the answer is 200 and empty. */
  getUserSecurityRights: UserSecurityRecord[];
  /** Recording as base64, by reference. Returns a recording of the call with that reference, session or master identifier inside JSON. If there are several recordings, it is the first, unless `part` asks for another. */
  getRecordingByReference: RecordingRecord;
  /** Recording as base64, by call identifier. Returns a recording of the call with that call or contact identifier inside JSON. If there are several recordings, it is the first, unless `part` asks for another. */
  getRecordingByCallId: RecordingRecord;
  /** Recording as a stream, by reference. Returns a recording of the call with that reference, session or master identifier as bytes, whole or in ranges, so that a download can be resumed and a player can seek. If there are several recordings, it is the first, unless `part` asks for another. HEAD is answered with the same headers and no body. */
  streamRecordingByReference: ReadableStream<Uint8Array>;
  /** Recording as a stream, by call identifier. Returns a recording of the call with that call or contact identifier as bytes, whole or in ranges, so that a download can be resumed and a player can seek. If there are several recordings, it is the first, unless `part` asks for another. HEAD is answered with the same headers and no body. */
  streamRecordingByCallId: ReadableStream<Uint8Array>;
  /** Public flags of the caller. Returns the public flags the caller may see: those in allowed_flags, or all with allow_all_flags. */
  listPublicFlags: PublicFlagRecord[];
  /** Private flags of a user. Returns the private flags of a user. If the caller is not an administrator, any other user is treated as unknown: the answer is 200 and empty. */
  listPrivateFlags: PrivateFlagRecord[];
  /** Chat transcript of a call. Returns the messages of a call that the caller may see, oldest first. None is not an error. */
  getChatByCallId: ChatMessageRecord[];
}
