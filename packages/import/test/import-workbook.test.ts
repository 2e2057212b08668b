// Workbooks: the first sheet is a table, whatever its cells are written as. XML: elements are records.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const XML = '<?xml version="1.0"?>';

const PARTS = {
  "xl/workbook.xml": `${XML}<workbook xmlns="${MAIN}" xmlns:r="r"><sheets><sheet name="Calls" sheetId="1" r:id="rId7"/><sheet name="Notes" sheetId="2" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId7" Target="/xl/worksheets/calls.xml"/></Relationships>`,
  "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="[h]:mm:ss"/><numFmt numFmtId="166" formatCode="0.00&quot; days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
  "xl/sharedStrings.xml": `<sst><si><t>Id</t></si><si><r><t>St</t></r><r><t xml:space="preserve">art</t></r><rPh><t>x</t></rPh></si><si><t>Talk</t></si><si><t>Doe, "Jane" &amp; Bo</t></si></sst>`,
  "xl/worksheets/sheet1.xml": "<worksheet><sheetData/></worksheet>",
  "xl/worksheets/calls.xml": `<worksheet><sheetData>
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="inlineStr"><is><t>Who</t></is></c><c r="E1" t="str"><v>Day</v></c></row>
    <row r="3"><c r="A3"><v>300000000000101</v></c><c r="B3" s="1"><v>46255.375</v></c><c r="C3" s="2"><v>1.0010300925925927</v></c><c r="D3" t="s"><v>3</v></c><c r="E3" s="3"><v>46255</v></c></row>
    <row r="4"><c r="A4"><v>7.0000000000000007E-2</v></c><c r="B4" s="1"><v>46255.50001</v></c><c r="E4" s="4"><v>1.5</v></c></row>
  </sheetData></worksheet>`,
};

const MAPPING = {
  mapping: 2,
  fields: {
    call_id: "{Id}",
    datetime: "{Start}",
    talk_time: "{Talk}",
    agent_name: "{Who}",
    custom_field_1: "{Day}",
    custom_field_2: "{$line}",
  },
};

async function writeWorkbook(parts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await createFolder();
  const entries = Object.entries(parts).map(([name, text]) => [name, strToU8(text)]);
  await writeFile(join(folder, "calls.xlsx"), zipSync(Object.fromEntries(entries)));
  return folder;
}

test("cells of a workbook are what they show, and those of a folder are found", async () => {
  const folder = await writeWorkbook(PARTS);
  const mappingFile = await writeLines("map.json", [MAPPING]);
  const store = createArchive();
  for (const paths of [[folder], [join(folder, "calls.xlsx")]])
    expect(
      await importFiles({ store, paths, mappingFile, format: "csv", allow: ["durations"] }),
    ).toMatchObject({
      read: 2,
      rejected: 0,
    });
  expect(await store.calls.byCallId("300000000000101", "everything")).toMatchObject([
    {
      datetime: "2026-08-21T09:00:00",
      talk_time: 86_489,
      agent_name: 'Doe, "Jane" & Bo',
      custom_field_1: "2026-08-21",
      custom_field_2: "3",
    },
  ]);
  expect(await store.calls.byCallId("0.07", "everything")).toMatchObject([
    { datetime: "2026-08-21T12:00:00.864", talk_time: null, custom_field_1: "1.5" },
  ]);
});

test("digits that a spreadsheet has lost stop the import; a workbook that lacks its sheet says so", async () => {
  const lost = PARTS["xl/worksheets/calls.xml"].replace(
    "300000000000101",
    "3.0000000000010199E+17",
  );
  const mappingFile = await writeLines("map.json", [MAPPING]);
  const bring = async (parts: Readonly<Record<string, string>>) => {
    const paths = [join(await writeWorkbook(parts), "calls.xlsx")];
    return await importFiles({ store: createArchive(), paths, mappingFile });
  };
  await expect(bring({ ...PARTS, "xl/worksheets/calls.xml": lost })).rejects.toThrow(
    /^ids: .*E\+17/,
  );
  const { "xl/worksheets/calls.xml": _, ...others } = PARTS;
  await expect(bring(others)).rejects.toThrow("is a workbook without a first sheet");
});

const CDR = (id: number, legs: string) =>
  `<cdr id="${id}"><start>2026-08-21T09:0${id}:00Z</start><from>+1555000${id}</from><legs>${legs}</legs></cdr>`;

test("elements of XML are records, one element a list where a list is meant, and a fault ends the file", async () => {
  const mapping = {
    mapping: 2,
    records: "cdr",
    fields: {
      call_id: "{@id}",
      datetime: "{start}",
      ani: "{from}",
      agent: { of: "legs.leg.*", from: "{$each.agent}", row: "last" },
    },
  };
  const lines = [
    `${XML}<cdrs><head>x</head>`,
    CDR(1, "<leg><agent>ann</agent></leg><leg><agent>bo &amp; co</agent></leg>"),
    CDR(2, "<leg><agent><![CDATA[eve]]></agent></leg>"),
    "<cdr id='3'><start>",
  ];
  const store = createArchive();
  const paths = [await writeLines("log.xml", lines)];
  const mappingFile = await writeLines("map.json", [mapping]);
  const report = await importFiles({ store, paths, mappingFile });
  expect(report).toMatchObject({ read: 3, imported: 2, rejected: 1 });
  expect(report.firstRejections).toMatchObject([
    { line: 4, reason: expect.stringMatching(/^not valid XML: .*nothing was read from here on$/) },
  ]);
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([{ agent: "bo & co" }]);
  expect(await store.calls.byCallId("2", "everything")).toMatchObject([
    { agent: "eve", ani: "+15550002", datetime: "2026-08-21T09:02:00Z" },
  ]);
});

test("further sheets with rows are named, and a cell that no sheet has is refused", async () => {
  const mappingFile = await writeLines("map.json", [MAPPING]);
  const importParts = async (parts: Readonly<Record<string, string>>) => {
    const paths = [join(await writeWorkbook({ ...PARTS, ...parts }), "calls.xlsx")];
    const options = { mappingFile, format: "csv", allow: ["durations"] } as const;
    return await importFiles({ store: createArchive(), paths, ...options });
  };
  const sheet = "xl/worksheets/sheet1.xml";
  const toSheet = (columns: number, rows: number) => {
    const row = `<row>${"<c><v>1</v></c>".repeat(columns)}</row>`;
    return `<worksheet><sheetData>${row.repeat(rows)}</sheetData></worksheet>`;
  };
  const further = toSheet(5, 2);
  expect(await importParts({})).not.toHaveProperty("leftOut");
  expect(await importParts({ [sheet]: further })).toMatchObject({
    leftOut: [{ file: expect.stringMatching(/calls\.xlsx, sheet "Notes"$/) }],
  });
  const calls = "xl/worksheets/calls.xml";
  const header = PARTS[calls].replace(/<row r="[34]"[^]*<\/row>/, "");
  for (const first of [header, PARTS[sheet]])
    await expect(importParts({ [calls]: first, [sheet]: further })).rejects.toThrow(
      "no-rows: there are no rows in the file, and there is something that is not read",
    );
  // A legend is narrower; a header alone has no calls either.
  for (const quiet of [toSheet(2, 9), toSheet(5, 1)])
    expect(await importParts({ [calls]: header, [sheet]: quiet })).toMatchObject({
      read: 0,
      leftOut: [{ reason: expect.stringContaining("only the first sheet") }],
      doubts: [{ name: "no-rows", effect: "warn" }],
    });
  const edit = (from: string, to: string) => ({ [calls]: PARTS[calls].replace(from, to) });
  await expect(importParts(edit("E3", "ZZZZZZZ3"))).rejects.toThrow(
    "column ZZZZZZZ is beyond what a sheet may have",
  );
  await expect(importParts(edit('<row r="4">', '<row r="400000000">'))).rejects.toThrow(
    "row 400000000 is beyond what a sheet may have",
  );
  // Cells that have only a style.
  const styled = edit("<v>1.5</v></c>", '<v>1.5</v></c><c r="F4" s="1"/><c r="G4" s="1"/>');
  expect(await importParts(styled)).toMatchObject({ read: 2, rejected: 0 });
});
