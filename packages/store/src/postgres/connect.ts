// How connections begin: the settings that they have, the password, and the sockets.
import { createConnection, type Socket } from "node:net";
import postgres, { type Sql } from "postgres";
import { ArchiveError } from "../port/faults.ts";
import { findPassword, type Found } from "./password-file.ts";
import { BYTEA } from "./values.ts";

export type Settings = Readonly<Record<string, string | number | boolean>>;

/** What PgBouncer knows of a connection, and sets where it runs its statements. */
export const KNOWN_SETTINGS: Settings = {
  application_name: "call-media",
  DateStyle: "ISO",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
};

/** With these a role or a database may say what it likes of how values are written, and of what a transaction is. */
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

/** Without a password in the address or in PGPASSWORD it is read from the file for each connection, and `onPassword` told of it. */
export function connect(
  address: string,
  max: number,
  { settings, onPassword }: ConnectOptions,
): Sql {
  const options = {
    max,
    // Statements without names need nothing of the connection that they came by before.
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
    // What the parser says has the password in it.
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
 * Makes a function that begins to connect to one host after the other. Sockets of postgres.js hold back a small write while
 * the one before it is under way: COPY then waits twice for 40 ms.
 */
function createSockets(): (hosts: Hosts) => Socket {
  let next = 0;
  return ({ path, host: hosts, port: ports }) => {
    if (typeof path === "string") return createConnection({ path });
    const index = next % hosts.length;
    next += 1;
    const [host, port] = [hosts[index], ports[index] ?? DEFAULT_PORT];
    // It is asked for its host when the certificate is judged.
    return Object.assign(createConnection({ host, port, noDelay: true }), { host });
  };
}

const DEFAULT_PORT = 5_432;
