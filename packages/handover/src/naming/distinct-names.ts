// Names of files that are never the same twice in a folder, on any file system.

/** Gives out names of one folder. */
export interface Names {
  /**
   * Stem and extension, with `~2`, `~3` and so on between them for a name that was used before. Names that differ only
   * in case, or in Unicode form, count as the same, because they do on some file systems. The same order of names gives
   * the same result.
   */
  readonly take: (stem: string, extension?: string) => string;
  /** A name that a file has already. */
  readonly reserve: (name: string) => void;
}

/** Remembers all that it gave out; `given` were before. */
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

/** Equal for all names that some file system holds for equal: NTFS, APFS and HFS+ fold letters, the last two normalise. */
function toFolded(name: string): string {
  // To capitals and back: "ß" and "SS" fold together only that way.
  const folded = name.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD");
  // HFS+ passes over what is not seen.
  return folded.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
}
