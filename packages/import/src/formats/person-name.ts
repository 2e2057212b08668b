// The name of a customer as one text, in the fields of the record.

/** The first word, the last one, and what stands between them; of a single word the first name alone. */
export function toCustomerName(name: string | undefined) {
  const [first, ...others] = name?.trim().split(/\s+/) ?? [];
  const last = others.pop();
  return {
    customer_first_name: first || undefined,
    customer_middle_name: others.join(" ") || undefined,
    customer_last_name: last,
  };
}
