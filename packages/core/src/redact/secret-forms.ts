/** How languages, addresses, mail and tools write a secret that they are given. */
import { asRead } from './as-read.ts';
import { bareText } from './bare-letters.ts';

/** As a message of JSON, an address or a header may have it, as it is read where letters are escaped without need, and in base64. */
export function formsOf(secret: string): ReadonlySet<string> {
  const bytes = bytesOf(secret);
  const inAddress = encodeURIComponent(secret.toWellFormed());
  const inSmall = inAddress.replace(/%../g, (byte) => byte.toLowerCase());
  const spelt = spellingsOf(secret, bytes);
  const inBytes = [bytes, ...latinBytes(secret)];
  const hex = inBytes.map(inHex);
  return new Set([
    ...spelt,
    ...spelt.map((words) => asRead(words)?.text ?? words),
    JSON.stringify(secret).slice(1, -1),
    ...[inAddress, inSmall].flatMap((written) => [written, written.replaceAll('%20', '+')]),
    secret.replaceAll(' ', '+'),
    ...asNumber(secret),
    ...wideLetters(secret).map((letters) => letters.replace(/^\0|\0$/, '')),
    ...hex.flatMap((digits) => [digits, digits.toUpperCase()]),
    ...[...inBytes, wideBytes(secret)].flatMap((all) => [0, 1, 2].flatMap((before) => inBase64(all, before))),
  ]);
}

/**
 * The same without anything but letters and digits, where so many of them stand nowhere by chance: of the secret, and of its
 * bytes as languages print them, in hexadecimal and in decimal numbers, signed ones too.
 */
export function bareFormsOf(secret: string): ReadonlySet<string> {
  const bytes = bytesOf(secret);
  const spelt = spellingsOf(secret, bytes).flatMap((words) => [words, asRead(words)?.text ?? words]);
  return new Set([
    ...spelt.map((words) => bareText(words)).filter(isTelling),
    ...[bytes, ...latinBytes(secret)].flatMap(printed),
  ]);
}

/** Bytes as they are printed, without what stands between them. */
function printed(bytes: readonly number[]): readonly string[] {
  const signed = bytes.map((byte) => (byte > 127 ? 256 - byte : byte));
  return [inHex(bytes), bytes.map((byte) => `0x${hexOf(byte)}`).join(''), bytes.join(''), signed.join('')];
}

/** Longer than words, or with digits among so many letters. */
function isTelling(letters: string): boolean {
  const { length } = letters;
  if (/^\d+$/.test(letters)) return length >= MANY_DIGITS;
  return length >= LONG || (length >= ODD && /\d/.test(letters));
}

const LONG = 16;
const ODD = 8;
/** Fewer stand in groups of other numbers by chance. */
const MANY_DIGITS = 10;

/** As it is, with its marks beside its letters or above them, and as UTF-8 that was read as Latin 1. */
function spellingsOf(secret: string, bytes: readonly number[]): readonly string[] {
  const asLatin = bytes.map((byte) => String.fromCharCode(byte)).join('');
  return [secret, secret.normalize('NFC'), secret.normalize('NFD'), asLatin];
}

/** As languages print the number that digits are read as: without zeros before it, with an exponent, with as many digits as it can have. */
function asNumber(secret: string): readonly string[] {
  if (!/^\d+(?:\.\d+)?$/.test(secret)) return [];
  const exponent = Number(secret).toExponential();
  const spelt = [exponent, exponent.replace('+', ''), exponent.replace(/\+(?=\d$)/, '+0')];
  return [String(Number(secret)), ...spelt.flatMap((written) => [written, written.toUpperCase()])];
}

function bytesOf(secret: string): readonly number[] {
  const escaped = encodeURIComponent(secret.toWellFormed());
  return (escaped.match(/%..|./g) ?? []).map((byte) =>
    byte.length > 1 ? Number.parseInt(byte.slice(1), 16) : byte.charCodeAt(0),
  );
}

/** In ISO 8859-1, where that is something else and has all of its letters. */
function latinBytes(secret: string): readonly (readonly number[])[] {
  const units = Array.from({ length: secret.length }, (_, at) => secret.charCodeAt(at));
  return units.every((unit) => unit < 256) && units.some((unit) => unit > 127) ? [units] : [];
}

/** UTF-16, the lower byte first. */
function wideBytes(secret: string): readonly number[] {
  return Array.from({ length: secret.length * 2 }, (_, at) => {
    const unit = secret.charCodeAt(at >> 1);
    return at % 2 === 0 ? unit & 255 : unit >> 8;
  });
}

/** UTF-16, as whoever reads a letter in each byte sees it, whichever of two is first. */
function wideLetters(secret: string): readonly string[] {
  const low = wideBytes(secret);
  const high = low.map((_, at) => low[at ^ 1] ?? 0);
  return [low, high].map((bytes) => bytes.map((byte) => String.fromCharCode(byte)).join(''));
}

function inHex(bytes: readonly number[]): string {
  return bytes.map(hexOf).join('');
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * What base64 makes of it in both alphabets behind so many other bytes: as far as these and what follows have no part in it,
 * and where nothing is before it, up to what fills the end up too.
 */
function inBase64(bytes: readonly number[], before: number): readonly string[] {
  const all = [...Array.from({ length: before }, () => 0), ...bytes];
  const from = Math.ceil((before * 4) / 3);
  const to = Math.floor((all.length * 4) / 3);
  return ['+/', '-_'].flatMap((rest) => {
    const letters = sixesOf(all)
      .map((six) => (DIGITS + rest).charAt(six))
      .join('');
    return [letters.slice(from, to), ...(before === 0 ? [letters] : [])];
  });
}

/** The bits of bytes, six by six; zeros fill the last up. */
function sixesOf(bytes: readonly number[]): readonly number[] {
  const sixes: number[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.slice(at, at + 3);
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    const count = second === undefined ? 2 : third === undefined ? 3 : 4;
    for (let six = 0; six < count; six++) sixes.push((bits >> (18 - 6 * six)) & 63);
  }
  return sixes;
}
