// Downloads content from memory.

/** Offers the blob as a file of this name. */
export function offer(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // By the next turn, the browser has read the URL.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
