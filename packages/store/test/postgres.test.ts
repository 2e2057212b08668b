// The adapter for PostgreSQL keeps the port, as far as this is quick; all of it runs in postgres.verify.ts.
import { describe } from "vitest";
import { describeIdentifiers } from "../src/suite/identifiers.ts";
import { describeImporting } from "../src/suite/importing.ts";
import { describePages } from "../src/suite/pages.ts";
import { describeRecordings } from "../src/suite/recordings.ts";
import { describeRevisions } from "../src/suite/revisions.ts";
import { closing } from "../src/suite/stores.ts";
import { describeUsers } from "../src/suite/users.ts";
import { usePostgres } from "./support/postgres.ts";

const create = closing(usePostgres().create);

describe.each([
  ["identifiers", describeIdentifiers],
  ["pages", describePages],
  ["recordings", describeRecordings],
  ["users", describeUsers],
  ["importing twice", describeImporting],
  ["states of a call", describeRevisions],
])("the store in PostgreSQL: %s", (_topic, describeTopic) => {
  describeTopic(create);
});
