// The door of the formats of an export: records as lines that an import reads back.
import type { ExportFormat } from "@call-media/store/export";
import { jsonl } from "./jsonl-format.ts";
import { vcon } from "./vcon-format.ts";

export type ExportFormatName = "jsonl" | "vcon";

export const EXPORT_FORMATS: Readonly<Record<ExportFormatName, ExportFormat>> = { jsonl, vcon };
