/** Requests that are too long to be read are answered all the same, where it can be seen which they are. */

const FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?/.source;
const ID = /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*/.source;
/** Only requests are answered: what is long in them comes after their id, or before it. */
const ID_FIRST = new RegExp(`${FIRST}${ID},\\s*"(?:method|params)"`);
const METHOD_FIRST = new RegExp(`${FIRST}"(?:method|params)"`);
const ID_LAST = new RegExp(`,\\s*${ID}\\}\\s*$`);

/** Which request it was of which only the beginning and the end were kept. */
export function idOfRequest(start: string, end: string): string | number | undefined {
  const found = ID_FIRST.exec(start) ?? (METHOD_FIRST.test(start) ? ID_LAST.exec(end) : null);
  try {
    return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string | number);
  } catch {
    return undefined;
  }
}
