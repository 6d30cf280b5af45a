/** What was found out about a text, for those that are said again and again. */

const PLACES = 256;
const LONGEST = 500;

/** The same judge of texts, which remembers what it said about the last short ones. It has to depend on nothing else. */
export function remembering<T>(judge: (text: string) => T): (text: string) => T {
  const said: { readonly text: string; readonly found: T }[] = [];
  return (text) => {
    if (text.length > LONGEST) return judge(text);
    const place = placeOf(text);
    const known = said[place];
    if (known?.text === text) return known.found;
    const found = judge(text);
    said[place] = { text, found };
    return found;
  };
}

/** One place for each text, by a few of its letters: most texts are said once, and to remember them must cost next to nothing. */
function placeOf(text: string): number {
  const { length } = text;
  const letters =
    text.charCodeAt(length >> 2) * 3 + text.charCodeAt(length >> 1) * 7 + text.charCodeAt(length - 1) * 13;
  return (letters + length * 31) % PLACES || 0;
}
