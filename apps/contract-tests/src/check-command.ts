// Runs `call-media check` and `probe` for tests: in the test's process, on a service over the demo archive, and on the same
// service with a fault.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallStore } from "@call-media/store";
import { openStore } from "@call-media/store/sqlite";
import { type Ended, runCallMedia } from "@call-media/test-setup/call-media";
import { type DemoAccess, makeDemoArchive, startService } from "./demo-service.ts";
import { type FaultyService, startFaultyService } from "./faulty-service.ts";

/** Selects two of the fifteen operations, which needs fewer requests. */
export const OF_FLAGS = ["--only", "listPublicFlags,listPrivateFlags"];

// Changes only the flags of users, so that one requirement fails, for both operations that list flags.
const FAULT = { path: "/flags/", from: '"DateCreated"', to: '"dateCreated"' };

/** The fields of a finding in the JSON report that programs read. */
export interface Finding {
  readonly requirement: string;
  readonly operation?: string;
  readonly fingerprint: string;
  readonly fault: string;
}

export interface CheckCommand extends AsyncDisposable {
  /** A folder for files, removed at the end. */
  readonly folder: string;
  readonly access: DemoAccess;
  readonly store: CallStore;
  /** The URL of the service. */
  readonly service: string;
  readonly faulty: FaultyService;
  /** The credentials of both callers, as environment variables of the program. */
  readonly variables: NodeJS.ProcessEnv;
  /** Runs with these variables unless others are given. */
  readonly run: (args: readonly string[], variables?: NodeJS.ProcessEnv) => Promise<Ended>;
  readonly checkFaulty: (...args: readonly string[]) => Promise<Ended>;
  /** Writes a JSON file that only its owner may read. */
  readonly write: (name: string, content: unknown) => Promise<string>;
}

export async function openCheckCommand(): Promise<CheckCommand> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "call-media-cli-check-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const { access, directory } = stack.use(await makeDemoArchive());
  const store = stack.use(await openStore({ directory }));
  const { baseUrl: service } = stack.use(await startService(store));
  const faulty = stack.use(await startFaultyService(service, FAULT));
  const variables = toVariables(access);
  const run: CheckCommand["run"] = (args, env = variables) => runCallMedia(args, { env });
  const owned = stack.move();
  return {
    folder,
    access,
    store,
    service,
    faulty,
    variables,
    run,
    checkFaulty: (...args) => run(["check", "--base-url", faulty.baseUrl, ...OF_FLAGS, ...args]),
    write: async (name, content) => {
      const file = join(folder, name);
      await writeFile(file, JSON.stringify(content), { mode: 0o600 });
      return file;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function toVariables({ credentials, restricted, apiKey }: DemoAccess): NodeJS.ProcessEnv {
  return {
    CALL_MEDIA_SECRET_ID: credentials.secretID,
    CALL_MEDIA_SECRET_KEY: credentials.secretKey,
    CALL_MEDIA_API_KEY: apiKey,
    CALL_MEDIA_RESTRICTED_SECRET_ID: restricted.secretID,
    CALL_MEDIA_RESTRICTED_SECRET_KEY: restricted.secretKey,
  };
}

/** An entry of an `--expect` file. */
export const toEntry = ({ requirement, operation, fingerprint }: Finding) => ({
  requirement,
  operation,
  fingerprint,
  reason: "mended in version 4",
});
