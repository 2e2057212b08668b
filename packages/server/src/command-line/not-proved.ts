// What nobody can prove of an access log by the archive alone, as the commands say it that look at the log.
export const NOT_PROVED =
  "Not proved: rows of the last ten seconds, or of the last second for recordings; and an older state of the archive that was put back whole, with the place of its recordings. A hash that is kept elsewhere proves that: audit verify --hash.";
