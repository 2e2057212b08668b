// The commands of the program, in the order of its help. The code of a command is loaded only when it runs.
import type { CommandEntry } from "./command-line/command-entry.ts";

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "search",
    summary: "find calls by date, by words and by the values of their fields",
    load: async () => (await import("./commands/search.ts")).configureSearch,
  },
  {
    name: "watch",
    summary: "print new calls as they arrive in the archive",
    load: async () => (await import("./commands/watch.ts")).configureWatch,
  },
  {
    name: "get",
    summary: "show one call, or the calls with a reference",
    load: async () => (await import("./commands/get.ts")).configureGet,
  },
  {
    name: "recording",
    summary: "save a recording of a call and check that it is complete",
    load: async () => (await import("./commands/recording.ts")).configureRecording,
  },
  {
    name: "transcript",
    summary: "print what was said in a call: text, WebVTT, JSON or vCon",
    load: async () => (await import("./commands/transcript.ts")).configureTranscript,
  },
  {
    name: "export",
    summary: "save many calls with recordings, transcripts and a manifest",
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
    summary: "check the files of an export against its manifest",
    load: async () => (await import("./commands/verify.ts")).configureVerify,
  },
  {
    name: "index",
    summary: "make an export searchable by words, without the service",
    load: async () => (await import("./commands/index.ts")).configureIndex,
  },
  {
    name: "users",
    summary: "list the users of the service",
    load: async () => (await import("./commands/users.ts")).configureUsers,
  },
  {
    name: "user",
    summary: "show a user's profile, address and rights",
    load: async () => (await import("./commands/user.ts")).configureUser,
  },
  {
    name: "flags",
    summary: "list the flags that calls can be marked with",
    load: async () => (await import("./commands/flags.ts")).configureFlags,
  },
  {
    name: "mcp",
    summary: "let a language model look up calls (MCP server)",
    load: async () => (await import("./commands/mcp.ts")).configureMcp,
  },
  {
    name: "login",
    summary: "save the address and credentials for the other commands",
    load: async () => (await import("./commands/login.ts")).configureLogin,
  },
  {
    name: "whoami",
    summary: "show which service is used, as whom, and whether it works",
    load: async () => (await import("./commands/whoami.ts")).configureWhoami,
  },
  {
    name: "logout",
    summary: "delete what login saved",
    load: async () => (await import("./commands/logout.ts")).configureLogout,
  },
  {
    name: "profiles",
    summary: "list what login saved",
    load: async () => (await import("./commands/profiles.ts")).configureProfiles,
  },
  {
    name: "check",
    summary: "check whether a running service keeps the contract",
    load: async () => (await import("./commands/check.ts")).configureCheck,
  },
  {
    name: "probe",
    summary: "observe how a service answers what the contract leaves open",
    load: async () => (await import("./commands/probe.ts")).configureProbe,
  },
  {
    name: "diff",
    summary: "compare two OpenAPI documents: what breaks clients?",
    load: async () => (await import("./commands/diff.ts")).configureDiff,
  },
  {
    name: "completion",
    summary: "print a script that completes commands in your shell",
    load: async () => (await import("./commands/completion.ts")).createCompletion(COMMANDS),
  },
];
