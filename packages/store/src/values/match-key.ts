// The form in which equal values of a filter or a right agree (D08): trimmed, case-folded, phone numbers reduced to their
// digits.
import { foldCase } from "@call-media/words";

const PHONE_FIELD = /^phone_number\d$/;

/** True if the values of `field` are compared by their digits. */
export function isPhoneField(field: string): boolean {
  return PHONE_FIELD.test(field);
}

/**
 * The key under which `value` of `field` is compared: equal keys, equal values (D08).
 * A phone number without a single digit ("withheld") is compared as text.
 */
export function toMatchKey(field: string, value: string | number): string {
  const text = String(value).trim();
  if (isPhoneField(field)) {
    const digits = text.replace(/\D/g, "");
    if (digits !== "") return digits;
  }
  return foldCase(text);
}

/** The key under which the name of a flag is compared (D08, D22). */
export const toFlagKey = (name: string): string => toMatchKey("Name", name);
