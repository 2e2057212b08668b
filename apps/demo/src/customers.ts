// The people who call Fernhollow, read from customers.tsv. Their telephone numbers are the fictional 555-01xx.
import { readTable } from "./table.ts";

export interface Customer {
  /** The local part of the address at example.com, which also names the customer in this folder. */
  email: string;
  firstName: string;
  middleName: string | null;
  lastName: string;
  street: string;
  city: string;
  state: string | null;
  zip: string;
  country: string;
  region: "EMEA" | "AMER" | "APAC";
  phone: string;
  company: string | null;
}

/** Reads every customer, in the order of the file. */
export function readCustomers(): Customer[] {
  return readTable("customers.tsv").map((row) => ({
    email: row.text("email"),
    firstName: row.text("first_name"),
    middleName: row.optional("middle_name"),
    lastName: row.text("last_name"),
    street: row.text("street"),
    city: row.text("city"),
    state: row.optional("state"),
    zip: row.text("zip"),
    country: row.text("country"),
    region: row.choice("region", ["EMEA", "AMER", "APAC"]),
    phone: row.text("phone"),
    company: row.optional("company"),
  }));
}
