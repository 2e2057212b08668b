// Links to recordings. Only the name of the file is kept: the rest may be a signature that gives access to the recording.

const LINK = /^[a-z][a-z\d+.-]*:\/\//i;
const FILE = /\.\w{1,5}$/;

export const isLink = (text: string): boolean => LINK.test(text);

/** A path with an extension is that of a file; else the query may say it: Play?rec=101/a.wav. Empty where the link names none. */
export function toLinkName(link: string): string {
  const [address = ""] = link.split("#");
  const [path = "", query = ""] = address.replace(LINK, "").split("?");
  const named = query.split("&").find((one) => FILE.test(one));
  const name = (FILE.test(path) ? path : (named ?? path)).split(/[/=]/).at(-1) ?? "";
  try {
    return decodeURIComponent(name).split(/[/\\]/).at(-1) ?? "";
  } catch {
    return name; // a per cent sign that begins no escape
  }
}
