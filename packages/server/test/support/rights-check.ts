// An answer over HTTP compared with the model's: its status, its data, its recording, all pages of a search.
import { expect } from "vitest";
import { ask, type Face, headerOf } from "./face.ts";
import type { Expected } from "./rights-model.ts";
import { type Question, toSent } from "./rights-questions.ts";
import { contentOf } from "./rights-world.ts";
import type { TestService } from "./service.ts";

/** Of a full page (D07). */
const PAGE_SIZE = 50;

/** A question, who asks it, and what the model answers. */
export interface Check {
  readonly service: TestService;
  readonly key: string;
  readonly question: Question;
  readonly expected: Expected;
}

export async function expectAnswer({ service, key, question: asked, expected }: Check) {
  const face = await ask(service.baseUrl, key, toSent(asked));
  const message = JSON.stringify(asked);
  expect(face.status, message).toBe(expected.status);
  if ("file" in expected) expectFile(face, expected.file.filename);
  else if (!("data" in expected)) expect(JSON.parse(String(face.body)).data).toEqual([]);
  else if (asked.ask === "search")
    await expectPages(expected.data, message, (pageIndex) =>
      ask(service.baseUrl, key, toSent(asked, pageIndex)),
    );
  else
    expect(JSON.parse(String(face.body)), message).toEqual({
      isError: false,
      errorMessage: null,
      data: expected.data,
    });
}

function expectFile(face: Face, filename: string) {
  const content = contentOf(filename);
  if (headerOf(face, "Content-Type")?.startsWith("application/json") === true) {
    const data = { success: true, filename, base64: content.toString("base64") };
    expect(JSON.parse(String(face.body))).toEqual({ isError: false, errorMessage: null, data });
    return;
  }
  const name = headerOf(face, "Content-Disposition")?.replaceAll('"', "");
  expect(name).toBe(`attachment; filename=${filename}`);
  expect(face.body).toEqual(content);
}

// One page past the end as well.
async function expectPages(
  records: readonly unknown[],
  message: string,
  read: (pageIndex: number) => Promise<Face>,
) {
  for (let first = 0; first <= records.length; first += PAGE_SIZE) {
    const pageIndex = first / PAGE_SIZE;
    const face = await read(pageIndex);
    const page = JSON.parse(String(face.body));
    const data = records.slice(first, first + PAGE_SIZE);
    expect(page.data, message).toEqual(data);
    const isNextGiven = headerOf(face, "Link")?.includes(`pageIndex=${pageIndex + 1}&`) ?? false;
    expect(isNextGiven, message).toBe(records.length > first + PAGE_SIZE);
    const range = data.length === 0 ? "*" : `${first}-${first + data.length - 1}`;
    if ("recordCount" in page)
      expect(page).toMatchObject({ pageID: pageIndex, recordCount: records.length });
    else expect(headerOf(face, "Content-Range")).toBe(`records ${range}/${records.length}`);
  }
}
