// The users and flags of the demo archive as its lines, read from users.tsv and flags.tsv.
import { rightsOf } from "./rights.ts";
import { readTable } from "./table.ts";

/** A line for each user: the basic and the address fields, then the rights. */
export function createUserLines(): object[] {
  return readTable("users.tsv").map((row) => ({
    kind: "user",
    id: Number(row.text("id")),
    username: row.text("username"),
    email_id: row.text("email_id"),
    title: row.optional("title"),
    first_name: row.text("first_name"),
    middle_name: row.optional("middle_name"),
    last_name: row.text("last_name"),
    status: Number(row.text("status")),
    group: row.text("group"),
    created_date: row.text("created_date"),
    modified_date: row.optional("modified_date"),
    phone_country_code: row.text("phone_country_code"),
    phone_number: row.text("phone_number"),
    external_system_id: row.optional("external_system_id"),
    address: row.text("address"),
    city: row.text("city"),
    state: row.text("state"),
    zip_code: row.text("zip_code"),
    country: row.text("country"),
    ...rightsOf(row.text("username")),
  }));
}

/** A line for each flag; a private one names its owner. */
export function createFlagLines(): object[] {
  return readTable("flags.tsv").map((row) => {
    const owner = row.optional("user_id");
    return {
      kind: "flag",
      Id: Number(row.text("Id")),
      Type: row.choice("Type", ["Public", "Private"]),
      Name: row.text("Name"),
      DateCreated: row.text("DateCreated"),
      DateModified: row.text("DateModified"),
      ...(owner === null ? {} : { user_id: Number(owner) }),
    };
  });
}
