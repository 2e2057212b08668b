// The mail of a hand-over, in a language of its own. It describes the content, the gaps with their reasons, and the check. It lacks the
// seal, which must be sent another way.
import { type HandedOver, type Report, toFoundText } from "@call-media/handover";
import { type Language, LOCALES } from "../text/text.ts";
import { groupHidden } from "./choices.ts";
import type { Listing } from "./listing.ts";
import { toMailWords } from "./mail-words.ts";

export interface MailOf {
  /** The name of the file. */
  readonly name: string;
  readonly listing: Listing;
  readonly language: Language;
  /** Where the seal is compared. */
  readonly check: string;
}

export function toMail(
  { report, bytes, hasViewer }: HandedOver,
  { name, listing, language, check }: MailOf,
): string {
  const w = toMailWords(language);
  const day = (text: string) =>
    new Date(`${text}T00:00Z`).toLocaleDateString(LOCALES[language], {
      day: "numeric",
      month: "long",
      year: "numeric",
      timeZone: "UTC",
    });
  const { from, to, purpose } = report;
  const days = from === to ? day(from) : w.days(day(from), day(to));
  return [
    [w.subject(report.found?.calls ?? listing.calls, days), purpose && w.for(purpose)]
      .filter(Boolean)
      .join(", ")
      .concat("."),
    w.file(name, bytes),
    ...(hasViewer ? [w.open] : []),
    "",
    w.inIt(toFoundText(report, w.found)),
    ...listMissing(report, listing, language),
    ...listHidden(report, language),
    "",
    w.check(check),
    w.byHand,
    w.same,
  ].join("\n");
}

function listMissing(report: Report, { unrecorded }: Listing, language: Language): string[] {
  const w = toMailWords(language);
  const { files, ids, windows, kinds } = report;
  const missing = (["missing", "refused", "damaged", "failed"] as const).flatMap((status) =>
    files[status] > 0 ? [w.lacking[status](files[status])] : [],
  );
  const lines = [
    ...(ids !== undefined && ids.missing.length > 0 ? [w.notFound(ids.missing)] : []),
    ...(windows.some(({ verdict }) => verdict === "drifted") ? [w.drifted] : []),
    ...missing,
    ...(kinds.includes("transcripts") ? [] : [w.noTranscripts]),
  ];
  const { written, unanswered, others } = unrecorded;
  const reasons = [
    written > 0 && w.written(written),
    unanswered > 0 && w.unanswered(unanswered),
    others > 0 && w.others(others),
  ].filter((reason) => reason !== false);
  return [
    lines.length === 0 ? w.allThere : w.notInIt(lines),
    ...(reasons.length > 0 && kinds.includes("recordings") ? [w.unrecorded(reasons)] : []),
  ];
}

function listHidden({ redacted, files: { muted } }: Report, language: Language): string[] {
  const w = toMailWords(language);
  const { groups, others } = groupHidden(redacted);
  const names = [
    ...groups.map((group) => w.groups[group]),
    ...(others.length > 0 ? [w.otherFields(others.length)] : []),
  ];
  return [
    ...(redacted.length > 0 ? [w.hidden(names)] : []),
    ...(muted === undefined ? [] : [w.muted(muted.spans, muted.recordings)]),
  ];
}
