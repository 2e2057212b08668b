// The SQLite adapter keeps the port.
import { createArchive } from "./support/archives.ts";
import { describeCallStore } from "./suite/call-store-suite.ts";

describeCallStore("the SQLite store", createArchive);
