// The entry point of the package: an inspector for the bytes of a recording, the facts that it returns, and the table of findings.
export type { Announced } from "./containers/raw.ts";
export { type ChannelFacts, FACTS_VERSION, type SoundFacts } from "./facts.ts";
export {
  describeFinding,
  FAULT_KINDS,
  FINDING_KINDS,
  type FindingKind,
  FINDINGS,
  fromBits,
  isFault,
  type SoundFinding,
  toBits,
} from "./findings.ts";
export type { Container } from "./walked.ts";
export { createInspector, type Inspector } from "./inspector.ts";
