/** Foreign text, made visible: what turns a line around, hides, or moves a cursor is shown by its number. */

/** A piece of a text: as it is, or a character that cannot be seen. */
export type Piece = { readonly text: string } | { readonly odd: string };

/**
 * Control characters but line breaks and tabs, format characters (bidi, zero width), separators of lines, spaces of other
 * kinds than the common one, what fonts leave out, private use, and halves of a pair.
 */
const ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u3164\uffa0]/u;
const PLAIN: ReadonlySet<string> = new Set(['\n', '\t', ' ']);

/** The pieces of a text, in order. Nothing is left out. */
export function piecesOf(text: string): readonly Piece[] {
  return pieces(
    [...text.replaceAll('\r\n', '\n')],
    (character) => !PLAIN.has(character) && ODD.test(character),
  );
}

/** Letters that look like those of the Latin alphabet, or stand for them. */
const ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;

/**
 * The pieces of a name, by which one thing is told from another: white space but a single space between words is shown too,
 * and so is a letter that could be taken for one of those around it.
 */
export function piecesOfName(name: string): readonly Piece[] {
  const isLatin = /[A-Za-z]/.test(name);
  return pieces([...name], (character, at, all) => {
    if (character !== ' ')
      return (
        ODD.test(character) ||
        (isLatin && (ALIKE.test(character) || character.normalize('NFKC') !== character))
      );
    const [before, after] = [all[at - 1], all[at + 1]];
    return before === undefined || after === undefined || before === ' ' || after === ' ';
  });
}

function pieces(
  characters: readonly string[],
  isOdd: (character: string, at: number, all: readonly string[]) => boolean,
): readonly Piece[] {
  const found: Piece[] = [];
  let plain = '';
  characters.forEach((character, at) => {
    if (!isOdd(character, at, characters)) {
      plain += character;
      return;
    }
    if (plain !== '') found.push({ text: plain });
    plain = '';
    found.push({ odd: nameOf(character) });
  });
  if (plain !== '') found.push({ text: plain });
  return found;
}

/** The same as one text, for places where there is no markup: titles, labels. */
export function visible(text: string): string {
  return asText(piecesOf(text));
}

/** A name as one text, for the same places. */
export function visibleName(name: string): string {
  return asText(piecesOfName(shortName(name)));
}

function asText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : `⟨${piece.odd}⟩`)).join('');
}

/** Longer ones push all else away. */
const LONGEST_NAME = 200;
const SHOWN_OF_IT = 90;

/** The beginning and the end of a very long name, and how much is between them. */
export function shortName(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const left = name.length - 2 * SHOWN_OF_IT;
  return `${name.slice(0, SHOWN_OF_IT)} [${left} more characters] ${name.slice(-SHOWN_OF_IT)}`;
}

/** The same for very many pieces: what repeats is counted. */
export function counting(pieces: readonly Piece[]): string {
  const words: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at] as Piece;
    let next = at + 1;
    if ('text' in piece) words.push(piece.text);
    else {
      for (
        let one = pieces[next];
        one !== undefined && 'odd' in one && one.odd === piece.odd;
        one = pieces[next]
      )
        next++;
      words.push(next - at === 1 ? `⟨${piece.odd}⟩` : `⟨${piece.odd} × ${next - at}⟩`);
    }
    at = next;
  }
  return words.join('');
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Any value as text: texts as they are, all else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value, undefined, 2);
}
