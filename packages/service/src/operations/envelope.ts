// The envelope of a success (D13).

export function toEnvelope<Data>(data: Data) {
  return { isError: false as const, errorMessage: null, data };
}
