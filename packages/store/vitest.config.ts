import { defineTests } from "@call-media/test-setup";

// These search longer there, or are about files on a disk.
export default defineTests(() => ({
  provedAgain: ["test/io-faults.verify.ts"],
  verifiedAgain: [
    "access-log",
    "access-lost",
    "access-witness",
    "backup",
    "datetimes",
    "purge",
    "word-terms",
    "word-test",
  ].map((name) => `test/${name}.test.ts`),
}));
