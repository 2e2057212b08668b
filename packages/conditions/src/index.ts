// Conditions on call records: one language for the command line, the console and agent tools.
export { type CallFilter, type ChatCount, createCallFilter, toCallId } from "./chats.ts";
export { type Clock, type ClockZone, createClock } from "./clock.ts";
export {
  type Comparison,
  COMPARISONS,
  type Condition,
  joinAll,
  joinAny,
  listCompared,
  listTests,
  readsChat,
  type Test,
} from "./condition.ts";
export { ConditionFault, type FaultCode } from "./fault.ts";
export { type FieldKind, isCustom, toKind } from "./field-kinds.ts";
export { type ArchiveZone, hasOffset, toInstant } from "./instant.ts";
export { type Judge, toJudge } from "./judge.ts";
export { parseCondition, readSeconds } from "./parse.ts";
export { printCondition } from "./print.ts";
export { createShowDatetime, type ShowDatetime } from "./show-datetime.ts";
export { narrow, toNarrowing } from "./narrowing.ts";
export { type Split, splitValues } from "./split.ts";
export { toGroupKey } from "./values.ts";
