// Examines the ledger of an archive in a directory.
import type { DatabaseSync } from "node:sqlite";
import type { Finding } from "../../../port/finding.ts";
import { examineLedger as examine } from "../../../values/ledger-findings.ts";
import { isBackup } from "../../files/database.ts";
import { countBehind } from "../catch-up.ts";
import { type OwnLedger, toLedger, toOwn } from "../ledger.ts";
import { compareWithLedger } from "../ledger-holds.ts";

export const examineLedger = (archive: DatabaseSync, own: OwnLedger): Promise<Finding[]> =>
  examine({
    name: toLedger(own).name,
    countBehind: () => countBehind(archive, own),
    compareHolds: isBackup(own.directory)
      ? undefined
      : () => compareWithLedger(archive, toOwn(archive, own)),
  });
