/** Where a known value stands in a text: one that words are like only as a word of its own. */

/** So long a value does not stand inside another word by chance, or so odd a one. */
const TELLING = 16;
const SHORTEST_ODD = 8;
const LETTER = /[\p{L}\p{N}_]/u;

/** Letters and digits, or more than words have: nothing that stands in a text by chance. */
export function isOdd(value: string): boolean {
  return (
    value.length >= TELLING || (value.length >= SHORTEST_ODD && /\d/.test(value) && /\p{L}/u.test(value))
  );
}

/** Where a value stands in a text; `isWithin`: inside of a word, too. */
export function placesOf(text: string, value: string, isWithin: boolean = isOdd(value)): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const end = at + value.length;
    if (isWithin || isWordAt(text, at, end)) places.push(at);
  }
  return places;
}

/** Whether no letter stands beside a part of a text. */
export function isWordAt(text: string, start: number, end: number): boolean {
  return !(LETTER.test(text.charAt(start - 1)) || LETTER.test(text.charAt(end)));
}
