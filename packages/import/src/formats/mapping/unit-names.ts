// Units in the names of columns, such as "Talk Time (ms)" and "Dauer in Sekunden". They tell nothing of what a column holds.

const WORDS: Readonly<Record<string, string>> = {
  ms: "ms msec msecs millis millisecond milliseconds millisekunden millisecondes milisegundos ミリ秒 毫秒",
  s: "s sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos seg segs secondi seconden sekundy 秒 초 сек",
  min: "m min mins minute minutes minuten minuto minutos minuti minuty 分 분 мин",
  h: "h hr hrs hour hours std stunde stunden heure heures hora horas ore",
};
const UNITS = new Map(
  Object.entries(WORDS).flatMap(([unit, words]) => words.split(" ").map((word) => [word, unit])),
);
const ANY = [...UNITS.keys()].join("|");
// Forms such as HH:MM:SS stand where units do.
const MARK = new RegExp(
  `[([（]\\s*(?:(?:in|en)\\s+)?(?:(${ANY})\\.?|(?:hh?:)?mm?:ss?|hh?:mm?)\\s*[)\\]）]|(?<=[\\s_-])(?:in|en)[\\s_-]+(${ANY})\\.?\\s*$`,
  "i",
);
const PARTS = /[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u;

/** The unit of durations that a name says: ms, s, min or h. */
export function readUnit(name: string): string | undefined {
  const [, bracketed, behind] = MARK.exec(name) ?? [];
  // One letter without brackets may be anything.
  const last = name.split(PARTS).findLast((word) => word.length > 1);
  return UNITS.get((bracketed ?? behind ?? last ?? "").toLowerCase());
}

/** The name with a word in place of its unit. */
export const replaceUnit = (name: string, word: string): string => name.replace(MARK, ` ${word} `);
