/** Sets of single characters. To look a character up in a string as a string takes ten times as long. */

/** Some characters: those of ASCII by their code, and the codes of the others. */
export interface SignSet {
  readonly ascii: Uint8Array;
  readonly others: readonly number[];
}

/** The characters of a text as a set. */
/* @__NO_SIDE_EFFECTS__ */
export function signSet(signs: string): SignSet {
  const ascii = new Uint8Array(128);
  const others: number[] = [];
  for (let i = 0; i < signs.length; i++) {
    const code = signs.charCodeAt(i);
    if (code < 128) {
      ascii[code] = 1;
    } else {
      others.push(code);
    }
  }
  return { ascii, others };
}

/** Whether a text has one of some characters at an offset; it has none at an offset that is not in it. */
export function isAt(set: SignSet, text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? set.ascii[code] === 1 : set.others.length > 0 && set.others.includes(code);
}
