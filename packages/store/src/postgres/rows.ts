// Rows whose columns are named as the port names them.

/** What is null in a row is left out in the port, whose type says so. */
export function withoutNulls<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row; // of the same shape else
}
