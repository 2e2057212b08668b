// An answer compared with the model's: its status, its data, its recording, all pages of a search.
import { expect } from "vitest";
import { type Face, type FacedService, headerOf } from "./face.ts";
import type { Expected } from "./rights-model.ts";
import { type Question, toSent } from "./rights-questions.ts";
import { contentOf } from "./rights-world.ts";

/** The number of records on a full page (D07). */
const PAGE_SIZE = 50;

/** A question, who asks it, and what the model answers. */
export interface Check {
  readonly service: FacedService;
  readonly key: string;
  readonly question: Question;
  readonly expected: Expected;
}

export async function expectAnswer(check: Check) {
  const { question, expected } = check;
  const face = await askPage(check, 0);
  const message = JSON.stringify(question);
  expect(face.status, message).toBe(expected.status);
  if ("file" in expected) expectFile(face, expected.file.filename);
  else if (!("data" in expected)) expect(toBody(face).data).toEqual([]);
  else if (question.ask === "search") await expectPages(face, expected.data, check);
  else
    expect(toBody(face), message).toEqual({
      isError: false,
      errorMessage: null,
      data: expected.data,
    });
}

function askPage({ service, key, question }: Check, pageIndex: number): Promise<Face> {
  return service.face(key, toSent(question, pageIndex));
}

function toBody({ body }: Face) {
  return JSON.parse(String(body));
}

function expectFile(face: Face, filename: string) {
  const content = contentOf(filename);
  if (headerOf(face, "Content-Type")?.startsWith("application/json") === true) {
    const data = { success: true, filename, base64: content.toString("base64") };
    expect(toBody(face)).toEqual({ isError: false, errorMessage: null, data });
    return;
  }
  const name = headerOf(face, "Content-Disposition")?.replaceAll('"', "");
  expect(name).toBe(`attachment; filename=${filename}`);
  expect(face.body).toEqual(content);
}

// One page past the end as well.
async function expectPages(firstFace: Face, records: readonly unknown[], check: Check) {
  for (let first = 0; first <= records.length; first += PAGE_SIZE) {
    const pageIndex = first / PAGE_SIZE;
    const face = pageIndex === 0 ? firstFace : await askPage(check, pageIndex);
    const page = toBody(face);
    const data = records.slice(first, first + PAGE_SIZE);
    const message = JSON.stringify(check.question);
    expect(page.data, message).toEqual(data);
    const isNextGiven = headerOf(face, "Link")?.includes(`pageIndex=${pageIndex + 1}&`) ?? false;
    expect(isNextGiven, message).toBe(records.length > first + PAGE_SIZE);
    const range = data.length === 0 ? "*" : `${first}-${first + data.length - 1}`;
    if ("recordCount" in page)
      expect(page).toMatchObject({ pageID: pageIndex, recordCount: records.length });
    else expect(headerOf(face, "Content-Range")).toBe(`records ${range}/${records.length}`);
  }
}
