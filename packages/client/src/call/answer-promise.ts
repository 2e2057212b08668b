// A promise of a value that also provides its response.
import type { Answer } from "./answer.ts";

/** The promise of a value that is made from a response. */
export interface AnswerPromise<Data> extends Promise<Data> {
  /**
   * The value as `data`, with status, headers and request id of its response. For a download that was resumed, that is the
   * first response. Fails as the value itself does.
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
      // A caller that uses the response need not await the value, which fails with the same error.
      value.catch(() => {});
      return answer;
    },
  });
}
