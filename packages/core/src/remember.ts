/** What was found out about a text, for those that are said again and again. */

const MOST = 200;
const LONGEST = 500;

/** The same judge of texts, which remembers what it said about the last short ones. It has to depend on nothing else. */
export function remembering<T>(judge: (text: string) => T): (text: string) => T {
  const said = new Map<string, T>();
  return (text) => {
    if (text.length > LONGEST) return judge(text);
    const known = said.get(text);
    if (known !== undefined) return known;
    if (said.size >= MOST) said.clear();
    const found = judge(text);
    said.set(text, found);
    return found;
  };
}
