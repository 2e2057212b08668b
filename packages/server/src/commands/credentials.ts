// `call-media-server app | key | token`: issues, lists and revokes the credentials of users' programs.
import { readFileSync } from "node:fs";
import type { CallStore, OperatorAct, Revocation } from "@call-media/store";
import { openStore } from "@call-media/store/open";
import { parseDatetime } from "@call-media/store/values";
import type { Command } from "commander";
import { createApiKey, createApplication } from "../access/issue.ts";
import { toBearerHash } from "@call-media/service/credentials";
import { toOperator } from "../command-line/operator.ts";
import { console, UsageError } from "@call-media/terminal";
import { recordedAtOnce } from "../command-line/recorded.ts";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { addApplicationList, addKeyList } from "./credential-lists.ts";
import { findUser, warnOfInactive } from "./users.ts";

interface CreateFlags extends PlaceFlags {
  readonly user: string;
  readonly expires?: string;
  readonly json?: true;
}

const SHOWN_ONCE = "It is shown this once and kept nowhere: store it where secrets belong.";

export function configureApp(app: Command): void {
  addCreate(app, "create an application with the rights of a user").action(
    async (flags: CreateFlags) => {
      await using store = await openStore(toPlaces(flags));
      const command = { operation: "app create", asked: { username: flags.user } } as const;
      const { user, application } = await recordedAtOnce(
        { log: store.accessLog, ...command },
        async () => {
          const holder = await findUser(store, flags.user);
          return { user: holder, application: await createApplication(store, holder.id) };
        },
      );
      if (flags.json) console.log(JSON.stringify(application));
      else
        console.log(
          `secretID   ${application.secretID}\nsecretKey  ${application.secretKey}\n${SHOWN_ONCE}`,
        );
      warnOfInactive(user);
    },
  );
  addApplicationList(app);
  addRevoke(app, "<secretID>", "revoke an application and all its tokens").action(
    async (secretID: string, places: PlaceFlags) => {
      await using store = await openStore(toPlaces(places));
      const command = { operation: "app revoke", asked: { secretID } } as const;
      const bearers = await revoke(store, {
        ...command,
        which: { application: secretID },
        refusal: `there is no application ${secretID} that is still good: "app list" shows those there are`,
      });
      console.log(`Revoked ${secretID} and ${bearers} of its tokens.`);
    },
  );
}

export function configureKey(key: Command): void {
  addCreate(key, "create an API key with the rights of a user")
    .option(
      "--expires <date>",
      "ISO date, or date and time, in the archive's time zone (default: never)",
    )
    .action(async (flags: CreateFlags) => {
      await using store = await openStore(toPlaces(flags));
      const command = { operation: "key create", asked: { username: flags.user } } as const;
      const { user, created } = await recordedAtOnce(
        { log: store.accessLog, ...command },
        async () => {
          const holder = await findUser(store, flags.user);
          const expiresMs =
            flags.expires === undefined ? undefined : toFuture(flags.expires, store.timeZone);
          return { user: holder, created: await createApiKey(store, holder.id, expiresMs) };
        },
      );
      if (flags.json) console.log(JSON.stringify(created));
      else
        console.log(
          `id       ${created.id}\nAPI key  ${created.apiKey}\n${SHOWN_ONCE}\nThe id is what "key revoke" takes.`,
        );
      warnOfInactive(user);
    });
  addKeyList(key);
  addRevoke(key, "<id>", "revoke an API key").action(async (id: string, places: PlaceFlags) => {
    await using store = await openStore(toPlaces(places));
    await revoke(store, {
      operation: "key revoke",
      asked: { id },
      which: { key: id },
      refusal: `there is no key ${id} that is still good: "key list" shows those there are`,
    });
    console.log(`Revoked ${id}.`);
  });
}

export function configureToken(token: Command): void {
  addRevoke(
    token,
    "[token]",
    'revoke a token ("-" reads it from standard input), or all of a user or application',
  )
    .option("--user <name>", "every token of this user's applications")
    .option("--app <secretID>", "every token of this application")
    .action(
      async (secret: string | undefined, flags: PlaceFlags & { user?: string; app?: string }) => {
        if ([secret, flags.user, flags.app].filter((given) => given !== undefined).length !== 1) {
          throw new UsageError("give one of: a token, --user, --app");
        }
        await using store = await openStore(toPlaces(flags));
        const text = secret === "-" ? readFileSync(0, "utf8").trim() : secret;
        const which = await toTokens(store, text, flags);
        const bearers = await revoke(store, {
          operation: "token revoke",
          asked: which,
          which,
          refusal: "there is no such token that is still good",
        });
        console.log(`Revoked ${bearers} ${bearers === 1 ? "token" : "tokens"}.`);
      },
    );
}

interface OwnRevocation extends Pick<OperatorAct, "operation" | "asked"> {
  readonly which: Revocation;
  readonly refusal: string;
}

/** The number of revoked bearers. Throws `UsageError` if there are none. */
async function revoke(
  { credentials, accessLog: log }: CallStore,
  { which, refusal, ...command }: OwnRevocation,
): Promise<number> {
  return await recordedAtOnce({ log, ...command }, async () => {
    const act = { ...command, operator: toOperator(), outcome: "done" } as const;
    const { applications, bearers } = await credentials.revoke(which, act);
    if (applications + bearers === 0) throw new UsageError(refusal);
    return bearers;
  });
}

async function toTokens(
  store: CallStore,
  text: string | undefined,
  { app, user = "" }: { readonly app?: string; readonly user?: string },
) {
  if (text !== undefined) return { tokenHash: toBearerHash(text) };
  if (app !== undefined) return { tokensOf: { secretID: app } };
  const command = { operation: "token revoke", asked: { username: user } } as const;
  const find = () => findUser(store, user);
  const { id } = await recordedAtOnce({ log: store.accessLog, ...command }, find);
  return { tokensOf: { userId: id } };
}

function addCreate(parent: Command, description: string): Command {
  return addPlaces(parent.command("create").description(description))
    .requiredOption("--user <name>", "the user whose rights it has")
    .option("--json", "print one JSON object, for scripts");
}

function addRevoke(parent: Command, argument: string, description: string): Command {
  return addPlaces(parent.command(`revoke ${argument}`).description(description));
}

function toFuture(text: string, timeZone: string): number {
  const parsed = parseDatetime(text, timeZone);
  if (typeof parsed === "string") throw new UsageError(`--expires: ${parsed}`);
  if (parsed.instantMs <= Date.now()) throw new UsageError(`--expires: ${text} has passed already`);
  return parsed.instantMs;
}
