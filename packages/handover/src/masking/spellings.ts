// Other spellings of a value: names by one of their parts, dates and e-mail addresses in other notations.
import { foldText } from "@call-media/words";

/** An apostrophe or hidden character does not separate parts: O'Connor. */
const PART = /[\p{L}\p{M}\p{N}\p{Cf}'\u2019\u02bb-\u02bd]+/gu;
/** Words in too many names and texts to identify anybody; folded. */
const COMMON: ReadonlySet<string> = new Set(
  "al am and bin da dal de del della den der des di do dos dr du e el frau herr ibn jr la las le los miss mr mrs ms of prof sr st ten ter the und van von y zu zum zur".split(
    " ",
  ),
);

/** Legal forms of companies; folded. */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  "ab ag aps as bv co company corp corporation doo gmbh inc incorporated kft kg kgaa limited llc llp ltd mbh nv ohg oy plc pte pty sa sarl sas se sl sp spa srl sro ug zoo".split(
    " ",
  ),
);

/** The parts of a name with several, such as both of Anna-Lena; without initials, words such as von or de la, and GmbH. */
export function toNameParts(name: string, isCompany = false): readonly string[] {
  const parts = name.match(PART) ?? [];
  const isTelling = (part: string) => {
    const { text } = foldText(part);
    return part.length > 1 && !COMMON.has(text) && !(isCompany && LEGAL_FORMS.has(text));
  };
  return parts.length > 1 ? parts.filter(isTelling) : [];
}

const DOUBLED: Readonly<Record<string, string>> = {
  ä: "ae",
  æ: "ae",
  å: "aa",
  ö: "oe",
  ø: "oe",
  ü: "ue",
};

/** A name written without its diacritics, or as separate words: Mueller, Mac Donald. */
export const toSpelt = (name: string): string =>
  name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .replaceAll(/(?<=(?<!\p{L})(?:fitz|mac|mc|van|von))(?=\p{L}{3})/giu, " ")
    .replaceAll(/[ä-æöøü]/giu, (one) => DOUBLED[one.toLowerCase()] ?? one);

/** Languages whose month names are known. */
const LANGUAGES = ["cs", "da", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv"];
const YEAR = String.raw`(?<year>\d{4})`;
const MONTH = String.raw`(?<month>\d\d?)`;
const DAY = String.raw`(?<day>\d\d?)`;
const NAME = String.raw`(?<name>\p{L}+)`;
/** Patterns for a folded value; 5/3/1980 may be in March or in May. */
const DATES = [
  `${YEAR} ${MONTH} ${DAY}`,
  String.raw`${YEAR}(?<month>\d\d)(?<day>\d\d)`,
  `${DAY} ${MONTH} (?<year>\\d{4}|\\d\\d)`,
  `${MONTH} ${DAY} (?<year>\\d{4}|\\d\\d)`,
  `${DAY} (?:de )?${NAME} (?:de )?${YEAR}`,
  `${NAME} ${DAY} ${YEAR}`,
].map((date) => new RegExp(`^${date}(?:[ t].*)?$`, "u"));

/** The pattern of a date in folded texts, in any order, with its month as a number or a word; undefined if the value is not a date. */
export function toDatePattern(folded: string): string | undefined {
  const patterns = DATES.flatMap((date) => {
    const { year = "", month, day, name = "" } = date.exec(folded)?.groups ?? {};
    const number = month === undefined ? findMonth(name) : Number(month);
    const isDate = number >= 1 && number <= 12 && Number(day) >= 1 && Number(day) <= 31;
    return isDate ? [toNotations(year, number, Number(day))] : [];
  });
  return patterns.length === 0 ? undefined : `(?<!\\d)(?:${patterns.join("|")})(?!\\d)`;
}

function toNotations(year: string, month: number, day: number): string {
  const [mm, dd] = [month, day].map((number) => String(number).padStart(2, "0"));
  const [m, d] = [month, day].map((number) => (number < 10 ? `0?${number}` : String(number)));
  const y = `(?:\\d\\d)?${year.slice(-2)}`;
  const nth = `${d}(?:st|nd|rd|th|er)?`;
  const name = `(?:${listMonths()[month - 1]?.join("|")})`;
  const solid = [`${year}${mm}${dd}`, `${dd}${mm}${year}`, `${mm}${dd}${year}`];
  return [
    `${y} ${m} ${d}`,
    `${d} ${m} ${y}`,
    `${m} ${d} ${y}`,
    ...(year.length === 4 ? solid : []),
    `${nth} (?:of |de )?${name}(?!\\p{L})(?: (?:de )?${y})?`,
    `${name} ${nth}(?![\\p{L}\\d])(?: ${y})?`,
    `${y} ?[年년] ?${m} ?[月월] ?${d}`,
  ].join("|");
}

const findMonth = (name: string): number =>
  listMonths().findIndex((names) => names.includes(name)) + 1;

let months: readonly (readonly string[])[] | undefined;

/** Folded, January first. Some languages inflect the names when a day precedes. */
const listMonths = () =>
  (months ??= Array.from({ length: 12 }, (_, month) => {
    const names = LANGUAGES.flatMap((language) =>
      (["long", "short"] as const).flatMap((form) =>
        [{ month: form }, { month: form, day: "numeric" } as const].map((options) =>
          new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" })
            .formatToParts(Date.UTC(2001, month, 1))
            .flatMap(({ type, value }) => (type === "month" ? [foldText(value).text] : [])),
        ),
      ),
    ).flat();
    // Longest first, because a name may begin like a shorter one.
    const words = names.filter((name) => /^\p{L}+$/u.test(name));
    return [...new Set(words)].toSorted((one, other) => other.length - one.length);
  }));

const AT = "(?:at|arroba|arobase|chiocciola)";
const DOT = "(?:dot|punkt|punto|point|ponto)";
const ADDRESS = new RegExp(
  String.raw`^([^\s@]+?)(?:@|\s*[([{<]\s*${AT}\s*[)\]}>]\s*|\s+${AT}\s+)(\S+)$`,
  "iu",
);

/** The pattern of an e-mail address in folded texts: bob(at)example.com, bob at example dot com. */
export function toAddressPattern(value: string): string | undefined {
  const [local, domain] = (ADDRESS.exec(value.trim()) ?? [])
    .slice(1)
    .map((part) => foldText(part).text.replaceAll(" ", ` ?(?:${DOT} ?)?`));
  return local && domain ? `${local} ?(?:${AT} ?)?${domain}` : undefined;
}
