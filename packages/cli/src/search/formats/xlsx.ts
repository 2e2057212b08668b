// Records as a spreadsheet, whose bytes are produced while the records are read.
import { fieldsOf } from "@call-media/api";
import { createCallSheet, MAX_CELL_CHARACTERS } from "@call-media/handover";
import { toCounted } from "@call-media/terminal";
import type { FormatOptions, RecordFormat } from "./record-format.ts";

export function createXlsx({
  columns,
  timeZone,
  archiveTimeZone,
}: Pick<FormatOptions, "columns" | "timeZone" | "archiveTimeZone">): RecordFormat {
  const written: Uint8Array[] = [];
  const take = () => Buffer.concat(written.splice(0));
  const fields = columns ?? fieldsOf("MetadataRecord");
  const sheet = createCallSheet({ fields, timeZone, archiveTimeZone }, (bytes) =>
    written.push(bytes),
  );
  return {
    begin: take,
    add(records) {
      sheet.add(records);
      return take();
    },
    end() {
      sheet.end();
      return take();
    },
    toWarning() {
      const { count, first } = sheet.cut;
      if (first === undefined) return undefined;
      const most = MAX_CELL_CHARACTERS.toLocaleString("en");
      const which = `${first.field} of call ${first.call_id}`;
      return `${toCounted(count, "text was", "texts were")} cut to the ${most} characters that a cell holds, the first is ${which}: --format jsonl has them whole`;
    },
  };
}
