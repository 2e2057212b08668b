// The door of the errors alone, for programs that tell them apart and import nothing.
export { ImportStopped } from "./doubts/import-stopped.ts";
export { ImportError } from "./import-error.ts";
