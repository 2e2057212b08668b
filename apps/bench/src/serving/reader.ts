// A user who may see every call.
import { fieldsOf } from "@call-media/api";
import type { UserRecord } from "@call-media/store";

export function createReader(): UserRecord {
  const texts = [...fieldsOf("UserBasicRecord"), ...fieldsOf("UserAddressRecord")];
  const rights = fieldsOf("UserSecurityRecord");
  return {
    ...Object.fromEntries(texts.map((field) => [field, ""])),
    ...Object.fromEntries(rights.map((field) => [field, field.startsWith("allow_")])),
    ...Object.fromEntries(
      rights.filter((field) => field.startsWith("allowed_")).map((field) => [field, []]),
    ),
    id: 1,
    username: "bench",
    status: 1,
  } as unknown as UserRecord; // every field of its three schemas
}
