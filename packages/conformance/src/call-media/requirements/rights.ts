// What a caller with fewer rights may see, compared with the first caller.
import { LOOKUPS, RECORDINGS, of, type Requirements, SEARCHES } from "./requirement.ts";

export const rights = {
  ...of(SEARCHES, "D21", {
    "rights.records":
      "A caller sees, and has counted, exactly the records that their security rights cover.",
  }),
  ...of([...LOOKUPS, ...RECORDINGS, "getChatByCallId"], "D21", {
    "rights.hidden": "What may not be seen is answered as what does not exist.",
    "rights.seen": "What may be seen is answered as for the first caller.",
  }),
  ...of(RECORDINGS, "D22", {
    "rights.download":
      "Recordings need allow_download and the file's extension in allowed_download_doc_type, else 403.",
  }),
  ...of(["listUsers", "getUserAddresses", "getUserSecurityRights"], "D22", {
    "rights.users": "A caller who is no administrator sees themselves alone.",
  }),
  ...of(["listPrivateFlags"], "D22", {
    "rights.private-flags": "A caller who is no administrator sees their own private flags alone.",
  }),
  ...of(["listPublicFlags"], "D22", {
    "rights.public-flags":
      "A caller sees the public flags in allowed_flags, or all with allow_all_flags.",
  }),
  ...of(["getUserAddresses", "getUserSecurityRights"], "D22", {
    "rights.own": "What a caller reads of themselves is what an administrator reads of them.",
  }),
} as const satisfies Requirements;
