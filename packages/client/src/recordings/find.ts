// Finds a recording of a call by its name. Only the service knows in which order it numbers the recordings of several records.
import { type ErrorSubject, NotFoundError, ProtocolError } from "../errors.ts";
import { type Announced, toFilename } from "./recording-headers.ts";

/** What the service announced of one recording. */
export interface Head {
  readonly announced: Announced;
  readonly about: ErrorSubject;
}

/**
 * Returns the number of the recording that has the name, from 1.
 *
 * @param askHead Requests the recording of a number.
 * @throws NotFoundError, ProtocolError if the service sends no names, the errors of a call.
 */
export async function findPart(
  filename: string,
  askHead: (part: number) => Promise<Head>,
): Promise<number> {
  const name = toFilename(filename);
  let previous: Head | undefined;
  for (let part = 1; ; part++) {
    const head = await askHead(part).catch((error: unknown) => {
      // The numbers are used up.
      if (previous && error instanceof NotFoundError) throw toUnknownName(previous);
      throw error;
    });
    const { announced, about } = head;
    if (announced.filename === undefined)
      throw new ProtocolError("The service sends no names of recordings: use part", about);
    if (announced.filename === name) return part;
    // A service that ignores `part` sends the first one again.
    if (isSame(announced, previous?.announced)) throw toUnknownName(head);
    previous = head;
  }
}

function toUnknownName({ about }: Head): NotFoundError {
  return new NotFoundError("The call has no recording of this name", about, { status: 404 });
}

function isSame(one: Announced, other: Announced | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
