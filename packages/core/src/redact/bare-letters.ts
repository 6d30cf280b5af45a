/**
 * Words without anything but their letters and digits, in small ones: whatever quotes, signs, spaces and line breaks a
 * program puts between the parts of a text that it shows, these stay, and in their order.
 */

/** What is left, and where each of it stands. */
export interface BareLetters {
  readonly text: string;
  readonly starts: Uint32Array;
}

/** Nothing that is left begins or ends in it. */
const CUT = 0;
/** So much between two letters is no way to write them. */
const WIDEST = 64;

const NONE = 0;
const QUOTE = 1;
const STRUCTURE = 2;
const LETTER = 3;

/** Of ASCII, which signs are letters, and which keep the texts of JSON apart. */
const SIGNS: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[a-z\d]/i.test(sign)) return LETTER;
  if (/["']/.test(sign)) return QUOTE;
  return /[,:;[\]{}]/.test(sign) ? STRUCTURE : NONE;
});

/** Spaces and breaks beyond ASCII, and what stands for a sign that is none. */
function isBlank(code: number): boolean {
  return (
    code <= 0xa0 || (code >= 0x2000 && code <= 0x206f) || code === 0x3000 || code === 0xfeff || code >= 0xfffd
  );
}

/** Two texts that a list or an object holds are not parts of one. */
export function bareLetters(words: string): BareLetters {
  const codes = new Uint16Array(words.length * 2);
  const starts = new Uint32Array(words.length * 2);
  let length = 0;
  let seen = NONE;
  let last = 0;
  for (let at = 0; at < words.length; at++) {
    const code = words.charCodeAt(at);
    const sign = code < 128 ? SIGNS[code] : isBlank(code) ? NONE : LETTER;
    if (sign !== LETTER) {
      seen |= sign ?? NONE;
      continue;
    }
    if (at - last > WIDEST || seen === (QUOTE | STRUCTURE)) codes[length++] = CUT;
    seen = NONE;
    last = at;
    starts[length] = at;
    // Letters of ASCII alone: others may become more when they are small.
    codes[length++] = code > 64 && code < 91 ? code + 32 : code;
  }
  return { text: textOf(codes.subarray(0, length)), starts };
}

/** So many at once are arguments of a call. */
const AT_ONCE = 8192;

function textOf(codes: Uint16Array): string {
  let text = '';
  for (let from = 0; from < codes.length; from += AT_ONCE)
    text += String.fromCharCode(...codes.subarray(from, from + AT_ONCE));
  return text;
}
