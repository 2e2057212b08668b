// The commands of the operator's program, in the order of its help. The modules of a command are loaded when it is
// called.
import type { Command } from "commander";

/** The function of a file in commands/: it adds options, help, an action and subcommands to `command`. */
type Configure = (command: Command) => void;

interface CommandEntry {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly load: () => Promise<Configure>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "answer requests from an archive",
    load: async () => (await import("./commands/serve.ts")).configureServe,
  },
  {
    name: "demo",
    summary: "make an archive of invented calls and show how to try it",
    load: async () => (await import("./commands/demo.ts")).configureDemo,
  },
  {
    name: "setup",
    summary: "make the tables of an archive, or bring them to this version",
    load: async () => (await import("./commands/setup.ts")).configureSetup,
  },
  {
    name: "import",
    summary: "import files or folders into an archive",
    load: async () => (await import("./commands/import.ts")).configureImport,
  },
  {
    name: "maps",
    summary: "list the formats that import reads, and check mapping files",
    load: async () => (await import("./commands/maps.ts")).configureMaps,
  },
  {
    name: "export",
    summary: "write an archive to files that import reads back",
    load: async () => (await import("./commands/export.ts")).configureExport,
  },
  {
    name: "user",
    summary: "add, list and change the users of an archive",
    load: async () => (await import("./commands/users.ts")).configureUser,
  },
  {
    name: "app",
    summary: "applications: secretID and secretKey, which sign in by POST /Token",
    load: async () => (await import("./commands/credentials.ts")).configureApp,
  },
  {
    name: "key",
    summary: "API keys, which are sent without a sign-in",
    load: async () => (await import("./commands/credentials.ts")).configureKey,
  },
  {
    name: "token",
    summary: "tokens given out by POST /Token",
    load: async () => (await import("./commands/credentials.ts")).configureToken,
  },
  {
    name: "history",
    summary: "print what a call, user or flag said before it was replaced, and who replaced it",
    load: async () => (await import("./commands/history.ts")).configureHistory,
  },
  {
    name: "trace",
    summary: "print where a call, a recording or a text still is, also after a purge",
    load: async () => (await import("./commands/trace.ts")).configureTrace,
  },
  {
    name: "audit",
    summary: "print the access log, or verify that nobody changed it",
    load: async () => (await import("./commands/audit.ts")).configureAudit,
  },
  {
    name: "backup",
    summary: "copy an archive into a folder, also while it is in use",
    load: async () => (await import("./commands/backup.ts")).configureBackup,
  },
  {
    name: "restore",
    summary: "make an archive from a backup",
    load: async () => (await import("./commands/backup.ts")).configureRestore,
  },
  {
    name: "migrate",
    summary: "move an archive to other places, such as PostgreSQL and S3, and back",
    load: async () => (await import("./commands/migrate.ts")).configureMigrate,
  },
  {
    name: "verify",
    summary: "read every recording and list those that are damaged",
    load: async () => (await import("./commands/verify.ts")).configureVerify,
  },
  {
    name: "coverage",
    summary: "report which calls have their recordings, whole and with sound in them",
    load: async () => (await import("./commands/coverage.ts")).configureCoverage,
  },
  {
    name: "doctor",
    summary: "examine an archive: what is wrong, and what to do about it",
    load: async () => (await import("./commands/doctor.ts")).configureDoctor,
  },
  {
    name: "reindex",
    summary: "rebuild the search index of an archive from its records",
    load: async () => (await import("./commands/reindex.ts")).configureReindex,
  },
  {
    name: "hold",
    summary: "keep calls from purges for as long as somebody needs them",
    load: async () => (await import("./commands/hold.ts")).configureHold,
  },
  {
    name: "retention",
    summary: "keep calls as long as a policy says, and remove those that are due",
    load: async () => (await import("./commands/retention.ts")).configureRetention,
  },
  {
    name: "purge",
    summary: "remove calls for good, by age or by identifier",
    load: async () => (await import("./commands/purge.ts")).configurePurge,
  },
];
