// The reason to reject a row.

/** A row that the archive cannot store; the message names the field and the fault. */
export class RowRejected extends Error {
  override readonly name = "RowRejected";
}
