// The two identifiers that calls are looked up by, call_id and reference, as SQL.
import { SPAN } from "./span.ts";

/** Condition for a row of `call`: it has the call_id, the one parameter. */
export const HAS_CALL_ID = "call_id = ?";

/** It has one of the call_ids, the one parameter: a list as JSON. */
export const HAS_ANY_CALL_ID = "call_id IN (SELECT value FROM json_each(?))";

const IN_ANY_SPAN = `${SPAN} IN (SELECT number FROM call_span)`;
// An OR over the three columns would read every call that has one of them.
const REFERENCED = ["ref_id", "session_id", "master_id"]
  .map(
    (name) => `SELECT id FROM call WHERE ${IN_ANY_SPAN} AND ${name} = (SELECT value FROM wanted)`,
  )
  .join(" UNION ALL ");

/** It has the reference, session or master identifier, the one parameter. */
export const HAS_REFERENCE = `call.id IN (WITH wanted(value) AS (SELECT ?) ${REFERENCED})`;
