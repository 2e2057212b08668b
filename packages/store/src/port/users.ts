// Users and flags.
import type { Schema } from "@call-media/api";

export type PublicFlagRecord = Schema<"PublicFlagRecord">;
export type PrivateFlagRecord = Schema<"PrivateFlagRecord">;
export type FlagRecord = PublicFlagRecord | PrivateFlagRecord;
/** The archive's complete record of a user: the basic, the address and the security record in one. */
export type UserRecord = Schema<"UserBasicRecord"> &
  Schema<"UserAddressRecord"> &
  Schema<"UserSecurityRecord">;

/** `name`: as an operator knows it, such as "the API key" with its id. */
export type OnDamaged = (name: string) => void;

export interface Users {
  /**
   * Sorted by id; all users without `status` (D05). Calls `onDamaged` with the name of each damaged user, and leaves it out; default:
   * throws `StoreFault`.
   */
  list(status?: number, onDamaged?: OnDamaged): Promise<UserRecord[]>;
  byId(id: number): Promise<UserRecord | undefined>;
  byName(username: string): Promise<UserRecord | undefined>;
  /** Sorted by id; all flags without `names`. Names are compared like filter values (D08). */
  publicFlags(names?: readonly string[]): Promise<PublicFlagRecord[]>;
  privateFlags(userId: number): Promise<PrivateFlagRecord[]>;
}
