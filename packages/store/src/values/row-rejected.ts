// Why a row is not written.

/** A row that the archive cannot take; the message names the field and the fault. */
export class RowRejected extends Error {
  override readonly name = "RowRejected";
}
