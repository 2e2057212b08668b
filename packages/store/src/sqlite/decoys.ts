// What keeps a clock from telling a hidden call from one that does not exist (D21): a look-up that shows nothing makes the same
// number of judgements, whatever there was to judge. Without it an answer came 2 us later for one hidden record and 10 us for
// ten, which a thousand requests told from nothing at all; what is left is below 1 us (`pnpm bench rights`).
import type { DatabaseSync } from "node:sqlite";
import { RESTRICTED_FIELDS } from "../visibility.ts";

// Few identifiers have as many records: legs of a transfer, calls of a session. One that has more, all of them hidden, takes
// longer by those above. All sixteen together take some 11 us.
const JUDGEMENTS = 16;

// As many numbers as a call can have, of no value: those of values begin with 1.
const DECOY = new Uint8Array(RESTRICTED_FIELDS.length);

/**
 * Makes a function that is told how many calls a look-up judged in vain, and judges as many decoys as are lacking. They go the
 * way of calls, through a statement of `database` to its function `is_seen`, which has to be there.
 */
export function createDecoys(database: DatabaseSync): (judged: number) => void {
  const judge = database.prepare(`
    WITH RECURSIVE decoy (lacking) AS (
      SELECT :lacking WHERE :lacking > 0 UNION ALL SELECT lacking - 1 FROM decoy WHERE lacking > 1
    )
    SELECT lacking FROM decoy WHERE is_seen(:restricted)`);
  return (judged) => void judge.all({ lacking: JUDGEMENTS - judged, restricted: DECOY });
}
