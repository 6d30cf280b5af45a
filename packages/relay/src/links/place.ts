/** Files and folders of this machine, told from keys that have slashes in them. */

/** From the root, from a home, from a folder nearby, from a drive. */
const BEGINNING = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/;

/** What people and programs call files: words, capitals, numbers and versions. Of keys, hardly one part reads like that. */
const WORD =
  /^(?:[A-Za-z]?[a-z]{1,30}(?:[A-Z][a-z]{1,30}){0,5}|[A-Z]{1,20}|\d{1,8}|[A-Za-z][a-z]{0,11}\d{1,4}[a-z]?|\d{1,4}[a-z]{1,4})$/;

const LONGEST = 1000;

/** Is it a place that whoever reads about it may know? */
export function isPlace(text: string): boolean {
  const [beginning] = BEGINNING.exec(text) ?? [];
  if (beginning === undefined || text.length > LONGEST) return false;
  const words = text.slice(beginning.length).split(/[\\/ ._()@+,~-]+/);
  return words.every((word) => word === '' || WORD.test(word));
}
