// What a caller with fewer rights may see, compared with the first caller.
import { LOOKUPS, RECORDINGS, type Requirements, SEARCHES } from "./requirement.ts";

export const rights = {
  "rights.records": {
    operations: SEARCHES,
    source: { decision: "D21" },
    says: "A caller sees, and has counted, exactly the records that their security rights cover.",
  },
  "rights.hidden": {
    operations: [...LOOKUPS, ...RECORDINGS, "getChatByCallId"],
    source: { decision: "D21" },
    says: "What may not be seen is answered as what does not exist.",
  },
  "rights.seen": {
    operations: [...LOOKUPS, ...RECORDINGS, "getChatByCallId"],
    source: { decision: "D21" },
    says: "What may be seen is answered as for the first caller.",
  },
  "rights.download": {
    operations: RECORDINGS,
    source: { decision: "D22" },
    says: "Recordings need allow_download and the file's extension in allowed_download_doc_type, else 403.",
  },
  "rights.users": {
    operations: ["listUsers", "getUserAddresses", "getUserSecurityRights"],
    source: { decision: "D22" },
    says: "A caller who is no administrator sees themselves alone.",
  },
  "rights.private-flags": {
    operations: ["listPrivateFlags"],
    source: { decision: "D22" },
    says: "A caller who is no administrator sees their own private flags alone.",
  },
  "rights.public-flags": {
    operations: ["listPublicFlags"],
    source: { decision: "D22" },
    says: "A caller sees the public flags in allowed_flags, or all with allow_all_flags.",
  },
  "rights.own": {
    operations: ["getUserAddresses", "getUserSecurityRights"],
    source: { decision: "D22" },
    says: "What a caller reads of themselves is what an administrator reads of them.",
  },
} as const satisfies Requirements;
