// The entry point of the package: it loads in Node.js and in browsers.
export {
  EXPORT,
  MAX_IDS,
  MAX_PURPOSE,
  MAX_VIEWER_CALLS,
  MAX_ZIP,
  SUMS,
  VIEWER,
} from "./hand-over/layout.ts";
export type { HandedCall, HandedFile, HandOverSource, ReceivedFile } from "./hand-over/source.ts";
export { openHandOver, type OpenedHandOver } from "./hand-over/open.ts";
export type { ViewerMessage } from "./hand-over/viewer.ts";
export {
  type Digest,
  type HandedOver,
  type HandOverTarget,
  TooLarge,
  writeHandOver,
} from "./hand-over/write.ts";
export { countDays, type Days, toFolderDay, toGaps } from "./export/days.ts";
export { type Exporter, isExporter, toExporterWords } from "./export/exporter.ts";
export { createFailureList, type FailureGroup } from "./export/failure-list.ts";
export { type Field, RECORD_FIELDS } from "./export/fields.ts";
export {
  type CallTally,
  createCallTally,
  type FoundCalls,
  type Unrecorded,
} from "./export/call-tally.ts";
export { type FoundTerms, toFoundText } from "./export/found.ts";
export { findLatest, type Searched, toFindings, toReport } from "./export/findings.ts";
export {
  FILE_KINDS,
  type FileKind,
  MANIFEST,
  METADATA,
  type MetadataFormat,
  RECORDINGS,
  REPORT,
  SUPERSEDED,
  TRANSCRIPTS,
} from "./export/layout.ts";
export {
  type Failure,
  FAILURES,
  type Item,
  ITEM_KINDS,
  listItems,
  type ManifestEntry,
  type MutedFile,
  NO_FILE,
  type Outcome,
  toManifestEntry,
  toManifestLine,
  toMetadataEntry,
  toSupersededEntry,
  type Written,
} from "./export/manifest.ts";
export {
  createSoundMeter,
  keepFindings,
  type MeasuredSound,
  measureSound,
  type SoundMeter,
} from "./export/measured-sound.ts";
export {
  type AskedIds,
  type AskedSpans,
  createFileCount,
  type Listed,
  type Report,
  toReportJson,
  toWindow,
  type WindowSummary,
} from "./export/report.ts";
export { type Message, readChat, readChatText, readChatTextIfAllowed } from "./fetching/chat.ts";
export { byTime } from "./fetching/by-time.ts";
export { type CallSelector, toSelector } from "./fetching/call-selector.ts";
export { createLegs, type FetchContext, listLegs } from "./fetching/legs.ts";
export {
  type FetchFailure,
  NotReceived,
  toFetchFailure,
  UNASKABLE,
} from "./fetching/not-received.ts";
export { findRecording, openRecording, toRecordingName } from "./fetching/open-recording.ts";
export { readTranscript, type Transcript } from "./fetching/transcript.ts";
export { type Hidden, previewHidden } from "./masking/hidden.ts";
export { DE_LABELS } from "./labels/de.ts";
export { EN_LABELS } from "./labels/en.ts";
export { createMask, type Mask } from "./masking/mask.ts";
export {
  ALWAYS_MASKED,
  createRecordMasks,
  createRedaction,
  isUnaskable,
  listMasked,
  listSearched,
  type RecordMasks,
  redactSearch,
  type Redaction,
} from "./masking/redaction.ts";
export { type Masking, toReason, toRecorded } from "./masking/recorded.ts";
export { createMuting, muteMessages, type Muting } from "./muting/muting.ts";
export {
  createSpanTally,
  findOwnParts,
  type ReceivedRecording,
  type SpanTally,
  toMutedFile,
  toSpanNames,
} from "./muting/own-spans.ts";
export { type Proposed, proposeSpans } from "./muting/propose.ts";
export { toLineSpan } from "./muting/times.ts";
export { type CallSpan, InvalidSpans, parseSpans, parseTimes } from "./muting/spans.ts";
export { cutText } from "./naming/cut-text.ts";
export { createPlaces, type Place, type Places } from "./naming/places.ts";
export { createNames, type Names } from "./naming/distinct-names.ts";
export { toFileName } from "./naming/file-name.ts";
export { DEFAULT_TEMPLATE, findTemplateFault, toExtension, toStem } from "./naming/template.ts";
export {
  type CallSheet,
  type CallSheetOptions,
  type CutText,
  createCallSheet,
} from "./spreadsheet/call-sheet.ts";
export type { SheetFile } from "./spreadsheet/file-cells.ts";
export { type CallCount, createCallCount } from "./spreadsheet/call-count.ts";
export { MAX_CELL_CHARACTERS } from "./spreadsheet/cells.ts";
