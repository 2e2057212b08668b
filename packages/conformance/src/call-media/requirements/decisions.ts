// Short forms of the decisions on what the interface leaves open, for comparison with observations.

export const decisions = {
  D02: "text or null; handle_time and talk_time integers or null",
  D03: "with or without an offset, as it came; without one it is in the archive's time zone",
  D05: "1 active, 0 inactive, 2 deleted",
  D06: "YYYY-MM-DD, both days included, in the archive's time zone (UTC unless set); else 400",
  D07: "from 0; pageID repeats it; a page past the end is 200 and empty",
  D08: "the whole value, trimmed, letter case ignored; telephone numbers by their digits",
  D09: "newest first",
  D10: "recordCount is the number over all pages; Prefer: count=exact counts a search by named fields",
  D11: "400 by named fields; the whole range by custom fields",
  D12: "400 bad input, 403, 404, 405 with Allow, 406, 413, 415, 416, 429",
  D13: "the envelope with isError true, a sentence and empty data",
  D14: "401 with WWW-Authenticate: Bearer",
  D15: "200 and empty; recordings 404",
  D16: "the media type of the bytes; ranges, ETag, SHA-256 digest, HEAD",
  D17: "names separated by `; `, the first is given, `part` reaches the others",
  D18: "3600 s unless set, 60 s to 24 h",
  D21: "the records that the security rights cover, in counts and pages too",
  D22: "recordings need allow_download; only an administrator sees other users",
  D23: "RateLimit headers on POST /Token; none elsewhere unless set",
  D37: "Recording-Sound: length, codec and findings",
  D38: "Recording-Of: call_id, ref_id and datetime of the record",
  D39: "Caller: id and username, with the list of users",
} as const;

export type ObservedDecision = keyof typeof decisions;
