// File names that are unique within a directory on any file system.

/** Assigns the names of one directory. */
export interface Names {
  /**
   * The stem and the extension, with `~2`, `~3` and so on between them for a name that was used before. Names that differ only
   * in case, or in Unicode form, count as the same, because they do on some file systems. The same order of names yields
   * the same result.
   */
  readonly take: (stem: string, extension?: string) => string;
  /** A name that a file already has. */
  readonly reserve: (name: string) => void;
}

/** Remembers all names that it assigned; `given` are names from before. */
export function createNames(given: readonly string[] = []): Names {
  const taken = new Set(given.map(toFolded));
  return {
    take(stem, extension = "") {
      let name = stem + extension;
      for (let count = 2; taken.has(toFolded(name)); count++) name = `${stem}~${count}${extension}`;
      taken.add(toFolded(name));
      return name;
    },
    reserve: (name) => void taken.add(toFolded(name)),
  };
}

/** Equal for all names that some file system treats as equal: NTFS, APFS and HFS+ fold case, the last two normalise. */
function toFolded(name: string): string {
  // To capitals and back: only that way "ß" and "SS" fold together.
  const folded = name.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD");
  // HFS+ ignores invisible characters.
  return folded.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
}
