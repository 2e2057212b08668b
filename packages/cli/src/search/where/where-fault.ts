// What is wrong with a condition, and where.

export class WhereFault extends Error {
  override readonly name = "WhereFault";
  /** Index in the condition. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
