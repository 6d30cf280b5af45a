/**
 * Words without anything but their letters and digits, in small ones: whatever quotes, signs, spaces and line breaks a
 * program puts between the parts of a text that it shows, these stay, and in their order.
 */

/** What is left, and where each of it stands. */
export interface BareLetters {
  readonly codes: Uint16Array;
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

/** Most texts are no longer, and need no room of their own. */
const ROOM = 16_384;
const roomForCodes = /* @__PURE__ */ new Uint16Array(ROOM);
const roomForStarts = /* @__PURE__ */ new Uint32Array(ROOM);

/** Two texts that a list or an object holds are not parts of one. What is given counts until the next call. */
export function bareLetters(words: string): BareLetters {
  // Before each letter may be a cut.
  const most = words.length * 2;
  const codes = most > ROOM ? new Uint16Array(most) : roomForCodes;
  const starts = most > ROOM ? new Uint32Array(most) : roomForStarts;
  let length = 0;
  let seen = NONE;
  let last = 0;
  for (let at = 0; at < words.length; at++) {
    const code = words.charCodeAt(at);
    const sign = code < 128 ? (SIGNS[code] as number) : isBlank(code) ? NONE : LETTER;
    if (sign !== LETTER) {
      seen |= sign;
      continue;
    }
    if (seen === (QUOTE | STRUCTURE) || at - last > WIDEST) codes[length++] = CUT;
    seen = NONE;
    last = at;
    starts[length] = at;
    // Letters of ASCII alone: others may become more when they are small.
    codes[length++] = code > 64 && code < 91 ? code + 32 : code;
  }
  return { codes: codes.subarray(0, length), starts };
}

/** A few words without anything but their letters and digits. */
export function bareText(words: string): string {
  return Array.from(bareLetters(words).codes, (code) => String.fromCharCode(code)).join('');
}
