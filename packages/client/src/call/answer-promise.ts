// A value that is to come and, for those who ask, the answer that it comes by.
import type { Answer } from "./contract-calls.ts";

/** The promise of a value that is made from an answer. */
export interface AnswerPromise<Data> extends Promise<Data> {
  /**
   * The value as `data`, with status, headers and request id of the answer that it was made from. Where a download broke
   * off and went on, that is the first of them. It fails as the value itself does.
   *
   * @example
   * ```ts
   * const { data, response, requestId } = await client.recordings.bytes({ call_id }).withResponse();
   * console.log(data.bytes, response.headers.get("ETag"), requestId);
   * ```
   */
  withResponse(): Promise<Answer<Data>>;
}

export function toAnswerPromise<Data>(answer: Promise<Answer<Data>>): AnswerPromise<Data> {
  const value = answer.then(({ data }) => data);
  return Object.assign(value, {
    async withResponse() {
      // Whoever takes the answer need not wait for the value as well: its failure is the same.
      value.catch(() => {});
      return answer;
    },
  });
}
