// The password file of PostgreSQL's own programs: PGPASSFILE, or ~/.pgpass (see its manual, "The Password File").
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** The target of a connection; `hosts` and `ports` in their order. */
export interface Login {
  readonly hosts: readonly string[];
  readonly ports: readonly number[];
  readonly database: string;
  readonly user: string;
}

export interface Found {
  /** Empty if the file has none. */
  readonly password: string;
  /** The reason why an existing file was not read. */
  readonly unread?: string;
}

/** Reads the file each time: passwords change while a server runs. Never throws. */
export async function findPassword(login: Login): Promise<Found> {
  const path = process.env["PGPASSFILE"] || toDefaultPath();
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return { password: "", unread: `${path} was not read: it is not a file` };
    if (process.platform !== "win32" && (stats.mode & 0o077) !== 0)
      return {
        password: "",
        unread: `${path} was not read: others may read it (chmod 600 ${path})`,
      };
    return { password: findIn(await readFile(path, "utf8"), login) };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing && !process.env["PGPASSFILE"]) return { password: "" };
    return { password: "", unread: `${path} could not be read (${String(error)})` };
  }
}

const toDefaultPath = () =>
  process.platform === "win32"
    ? join(process.env["APPDATA"] ?? "", "postgresql", "pgpass.conf")
    : join(homedir(), ".pgpass");

// Host, port, database and user end at a colon, the password at the end of the line. A backslash escapes a colon or a backslash.
const LINE = new RegExp(`^${String.raw`((?:\\.|[^\\:])*):`.repeat(4)}(.*)$`);

const unescape = (text: string) => text.replaceAll(/\\(.)/g, "$1");

/** The password of the first line that matches one of the hosts: every host has the same roles. */
function findIn(text: string, { hosts, ports, database, user }: Login): string {
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  for (const line of lines) {
    const [, ...fields] = LINE.exec(line) ?? [];
    const password = fields.pop();
    if (password === undefined) continue;
    const fits = (host: string, index: number) =>
      [host, String(ports[index]), database, user].every(
        (wanted, place) => fields[place] === "*" || unescape(fields[place] ?? "") === wanted,
      );
    if (hosts.some(fits)) return unescape(password);
  }
  return "";
}
