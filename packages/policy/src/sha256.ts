/** SHA-256 as FIPS 180-4 has it: at once and anywhere JavaScript runs, which Node's and the web's are not both. */

const encoder = new TextEncoder();

/** Roots of the first primes, cube roots for the rounds and square roots for the start. */
const ROUNDS = new Uint32Array(64);
const START = new Uint32Array(8);
for (let candidate = 2, found = 0; found < 64; candidate += 1) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) {
    if (candidate % divisor === 0) isPrime = false;
  }
  if (!isPrime) continue;
  if (found < 8) START[found] = fraction(candidate ** (1 / 2));
  ROUNDS[found] = fraction(candidate ** (1 / 3));
  found += 1;
}

/** The first 32 bits of what follows the point. */
function fraction(value: number): number {
  return (value - Math.floor(value)) * 2 ** 32;
}

/** The digest of a text's UTF-8 bytes, in lower-case hex. */
export function sha256(text: string): string {
  const bytes = encoder.encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) mix(state, words, view, offset);
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function mix(state: Uint32Array, words: Uint32Array, view: DataView, offset: number): void {
  for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(offset + at * 4);
  for (let at = 16; at < 64; at += 1) {
    const early = words[at - 15] as number;
    const late = words[at - 2] as number;
    const low = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const high = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16] as number) + low + (words[at - 7] as number) + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let at = 0; at < 64; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      (h +
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
        choice +
        (ROUNDS[at] as number) +
        (words[at] as number)) |
      0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] as number) + word;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
