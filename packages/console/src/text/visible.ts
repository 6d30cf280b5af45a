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
  const pieces: Piece[] = [];
  let plain = '';
  for (const character of text.replaceAll('\r\n', '\n')) {
    if (PLAIN.has(character) || !ODD.test(character)) {
      plain += character;
      continue;
    }
    if (plain !== '') pieces.push({ text: plain });
    plain = '';
    pieces.push({ odd: nameOf(character) });
  }
  if (plain !== '') pieces.push({ text: plain });
  return pieces;
}

/** The same as one text, for places where there is no markup: titles, labels. */
export function visible(text: string): string {
  return piecesOf(text)
    .map((piece) => ('text' in piece ? piece.text : `⟨${piece.odd}⟩`))
    .join('');
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
