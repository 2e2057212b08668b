// The commands of the program, in the order of its help. A command's code is loaded when it is asked for and not before.
import type { Command } from "commander";

/** What a file in commands/ gives: options, help and action are put on `command`. */
export type Configure = (command: Command) => void;

interface CommandEntry {
  readonly name: string;
  /** One line, without a full stop: what it does for the user. */
  readonly summary: string;
  readonly load: () => Promise<Configure>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "search",
    summary: "find calls by days and values, as a table or for programs",
    load: async () => (await import("./commands/search.ts")).configureSearch,
  },
  {
    name: "watch",
    summary: "print calls as they come into the archive",
    load: async () => (await import("./commands/watch.ts")).configureWatch,
  },
  {
    name: "get",
    summary: "all that the service says of one call, or of the calls of a reference",
    load: async () => (await import("./commands/get.ts")).configureGet,
  },
  {
    name: "recording",
    summary: "save a recording of a call, complete and checked",
    load: async () => (await import("./commands/recording.ts")).configureRecording,
  },
  {
    name: "transcript",
    summary: "what was said and written in a call: text, WebVTT, JSON or a vCon",
    load: async () => (await import("./commands/transcript.ts")).configureTranscript,
  },
  {
    name: "export",
    summary: "many calls with recordings and transcripts, in a folder that proves itself",
    load: async () => {
      (await import("./export/memory.ts")).keepMemorySmall();
      return (await import("./commands/export.ts")).configureExport;
    },
  },
  {
    name: "sync",
    summary: "add what is new to an export",
    load: async () => {
      (await import("./export/memory.ts")).keepMemorySmall();
      return (await import("./commands/sync.ts")).configureSync;
    },
  },
  {
    name: "verify",
    summary: "is an export still what its manifest says?",
    load: async () => (await import("./commands/verify.ts")).configureVerify,
  },
  {
    name: "users",
    summary: "who is known to the service",
    load: async () => (await import("./commands/users.ts")).configureUsers,
  },
  {
    name: "user",
    summary: "one user's profile, address and rights",
    load: async () => (await import("./commands/user.ts")).configureUser,
  },
  {
    name: "flags",
    summary: "the flags that calls can be marked with",
    load: async () => (await import("./commands/flags.ts")).configureFlags,
  },
  {
    name: "mcp",
    summary: "let a program that works with a language model look calls up",
    load: async () => (await import("./commands/mcp.ts")).configureMcp,
  },
  {
    name: "login",
    summary: "keep an address and credentials, so that no other command needs them",
    load: async () => (await import("./commands/login.ts")).configureLogin,
  },
  {
    name: "whoami",
    summary: "which service is asked, by whom, and whether it lets them in",
    load: async () => (await import("./commands/whoami.ts")).configureWhoami,
  },
  {
    name: "logout",
    summary: "forget what login kept",
    load: async () => (await import("./commands/logout.ts")).configureLogout,
  },
  {
    name: "profiles",
    summary: "list what login kept",
    load: async () => (await import("./commands/profiles.ts")).configureProfiles,
  },
  {
    name: "check",
    summary: "does a running service keep the contract?",
    load: async () => (await import("./commands/check.ts")).configureCheck,
  },
  {
    name: "probe",
    summary: "how does a running service answer what the contract leaves open?",
    load: async () => (await import("./commands/probe.ts")).configureProbe,
  },
  {
    name: "diff",
    summary: "what does a change of an OpenAPI document ask of clients?",
    load: async () => (await import("./commands/diff.ts")).configureDiff,
  },
  {
    name: "completion",
    summary: "a script by which your shell completes commands and options",
    load: async () => (await import("./commands/completion.ts")).configureCompletion,
  },
];
