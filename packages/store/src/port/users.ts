// Users and flags.
import type { Schema } from "@call-media/api";

export type PublicFlagRecord = Schema<"PublicFlagRecord">;
export type PrivateFlagRecord = Schema<"PrivateFlagRecord">;
export type FlagRecord = PublicFlagRecord | PrivateFlagRecord;
/** Everything the archive knows of a user: the basic, the address and the security record in one. */
export type UserRecord = Schema<"UserBasicRecord"> &
  Schema<"UserAddressRecord"> &
  Schema<"UserSecurityRecord">;

/** `name`: as an operator knows it, such as "the API key" with its id. */
export type OnDamaged = (name: string) => void;

export interface Users {
  /**
   * In the order of their ids; without `status` all of them (D05). Calls `onDamaged` with the name of each that is not what was
   * written, and leaves it out; default: throws `StoreFault`.
   */
  list(status?: number, onDamaged?: OnDamaged): Promise<UserRecord[]>;
  byId(id: number): Promise<UserRecord | undefined>;
  byName(username: string): Promise<UserRecord | undefined>;
  /** In the order of their ids; without `names` all of them. Names are compared as values of filters are (D08). */
  publicFlags(names?: readonly string[]): Promise<PublicFlagRecord[]>;
  privateFlags(userId: number): Promise<PrivateFlagRecord[]>;
}
