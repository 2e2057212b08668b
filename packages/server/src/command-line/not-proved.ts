// The part of an access log that the archive itself cannot prove, for the commands that check the log.
export const NOT_PROVED =
  "Not proved: rows of the last ten seconds, or of the last second for recordings; and an older state of the archive that was put back whole, with the place of its recordings. A hash that is kept elsewhere proves that: audit verify --hash.";
