// How connections start: their settings, the password, and the sockets.
import { createConnection, type Socket } from "node:net";
import postgres, { type Sql } from "postgres";
import { ArchiveError } from "../port/faults.ts";
import { findPassword, type Found } from "./password-file.ts";
import { BYTEA } from "./values.ts";

export type Settings = Readonly<Record<string, string | number | boolean>>;

/** The settings of a connection that PgBouncer tracks, and restores wherever it runs the statements. */
export const KNOWN_SETTINGS: Settings = {
  application_name: "call-media",
  DateStyle: "ISO",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
};

/** These override the role's or database's own settings for how values are written, and for what a transaction is. */
export const SETTINGS: Settings = {
  ...KNOWN_SETTINGS,
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  default_transaction_isolation: "read committed",
};

interface ConnectOptions {
  readonly settings: Settings;
  readonly onPassword: (file: Found) => void;
}

/** If neither the address nor PGPASSWORD has a password, it is read from the file for each connection, and `onPassword` is called. */
export function connect(
  address: string,
  max: number,
  { settings, onPassword }: ConnectOptions,
): Sql {
  const options = {
    max,
    // Unnamed statements do not depend on the connection that they used before.
    prepare: false,
    fetch_types: false,
    connect_timeout: 5,
    keep_alive: 10,
    connection: { ...settings },
    onnotice: () => {},
    socket: createSockets(),
    types: { bytea: BYTEA },
  };
  try {
    const sql = postgres(address, options);
    const { host: hosts, port: ports, database, user, pass } = sql.options;
    if (pass) return sql;
    const readPassword = async () => {
      const file = await findPassword({ hosts, ports, database, user });
      onPassword(file);
      return file.password;
    };
    return postgres(address, { ...options, pass: readPassword });
  } catch {
    // The parser's message contains the password.
    throw new ArchiveError(
      "the address of the records is not of the form postgres://user@host/database",
    );
  }
}

interface Hosts {
  readonly path?: string | false;
  readonly host: readonly string[];
  readonly port: readonly number[];
}

/**
 * Makes a function that starts connecting to one host after the other. The sockets of postgres.js delay a small write while the
 * previous one is in progress: COPY then waits 40 ms twice.
 */
function createSockets(): (hosts: Hosts) => Socket {
  let next = 0;
  return ({ path, host: hosts, port: ports }) => {
    if (typeof path === "string") return createConnection({ path });
    const index = next % hosts.length;
    next += 1;
    const [host, port] = [hosts[index], ports[index] ?? DEFAULT_PORT];
    // The certificate check reads its host.
    return Object.assign(createConnection({ host, port, noDelay: true }), { host });
  };
}

const DEFAULT_PORT = 5_432;
