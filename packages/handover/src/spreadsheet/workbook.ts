// A workbook (.xlsx) written row by row and compressed immediately, so that its length costs no memory.
import { strToU8, Zip, ZipDeflate } from "fflate";
import { type Cell, FORMATS, toCellXml, toColumnName, toTextXml } from "./cells.ts";

export interface Column {
  readonly header: string;
  /** In characters. */
  readonly width: number;
  /** The format of empty cells, for values that a person enters. */
  readonly format: number;
}

export interface Workbook {
  readonly add: (row: readonly Cell[]) => void;
  /** Writes the end of the file. */
  readonly end: () => void;
}

/** The maximum number of rows of a sheet, including its header ("Excel specifications and limits"). */
const MAX_ROWS = 1_048_576;

/** The number of characters compressed together. */
const BLOCK_CHARACTERS = 65_536;

/** The time of every file in the workbook, so that equal rows yield equal bytes. */
const MODIFIED = new Date(1980, 0, 1);

/**
 * A workbook with one sheet, or with several of `maxRows` if there are more rows. `onBytes` receives the file chunk by
 * chunk, before `add` or `end` returns.
 */
export function createWorkbook(
  columns: readonly Column[],
  onBytes: (bytes: Uint8Array) => void,
  maxRows = MAX_ROWS,
): Workbook {
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    onBytes(bytes);
  });
  const open = (path: string) => {
    const file = new ZipDeflate(path, { level: 6 });
    file.mtime = MODIFIED;
    zip.add(file);
    return file;
  };
  const names = columns.map((_, index) => toColumnName(index));
  let sheets = 0;
  let sheet = openSheet();

  function openSheet() {
    sheets++;
    const file = open(`xl/worksheets/sheet${sheets}.xml`);
    let [text, rows] = [toSheetStart(columns), 0];
    const addRow = (toXml: (reference: string, index: number) => string) => {
      rows++;
      text += `<row r="${rows}">${names.map((name, index) => toXml(`${name}${rows}`, index)).join("")}</row>`;
      if (text.length < BLOCK_CHARACTERS) return;
      file.push(strToU8(text));
      text = "";
    };
    addRow((at, index) => toTextXml(at, columns[index]?.header ?? "", FORMATS.header));
    return {
      isFull: () => rows === maxRows,
      add: (row: readonly Cell[]) => addRow((at, index) => toCellXml(at, row[index])),
      end() {
        const filter = `<autoFilter ref="A1:${names.at(-1)}${rows}"/>`;
        file.push(strToU8(`${text}</sheetData>${filter}</worksheet>`), true);
      },
    };
  }

  return {
    add(row) {
      if (sheet.isFull()) {
        sheet.end();
        sheet = openSheet();
      }
      sheet.add(row);
    },
    end() {
      sheet.end();
      for (const [path, text] of Object.entries(toParts(sheets)))
        open(path).push(strToU8(text), true);
      zip.end();
    },
  };
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The first row stays in place while the others are scrolled. */
function toSheetStart(columns: readonly Column[]): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const widths = columns.map(
    ({ width, format }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${format}" customWidth="1"/>`,
  );
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>`;
}

/** Everything except the sheets (ECMA-376, part 2, 9; part 1, 12.3). */
function toParts(sheets: number): Readonly<Record<string, string>> {
  const all = Array.from({ length: sheets }, (_, index) => index + 1);
  const part = (path: string, type: string) =>
    `<Override PartName="${path}" ContentType="${TYPE}.${type}+xml"/>`;
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const links = (inner: string) =>
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${inner}</Relationships>`;
  const parts = [
    part("/xl/workbook.xml", "sheet.main"),
    part("/xl/styles.xml", "styles"),
    ...all.map((number) => part(`/xl/worksheets/sheet${number}.xml`, "worksheet")),
  ];
  const toName = (number: number) => (number === 1 ? "Calls" : `Calls ${number}`);
  return {
    "xl/workbook.xml": `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${all
      .map((number) => `<sheet name="${toName(number)}" sheetId="${number}" r:id="s${number}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": links(
      all
        .map((number) => link(`s${number}`, "worksheet", `worksheets/sheet${number}.xml`))
        .join("") + link("styles", "styles", "styles.xml"),
    ),
    "xl/styles.xml": STYLES,
    "_rels/.rels": links(link("book", "officeDocument", "xl/workbook.xml")),
    "[Content_Types].xml": `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${parts.join("")}</Types>`,
  };
}

/** The formats of cells, in the order of `FORMATS`; 49 is text (ECMA-376, part 1, 18.8.30). */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`;
