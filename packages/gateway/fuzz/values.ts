/** JSON texts, and texts that only look like JSON: the words of the grammar. */
import type { Random } from './random.ts';

/** How deep the deepest nesting goes. */
const DEPTH = 200_000;

const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e3',
  '1e999',
  '-1e999',
  '1e-999',
  '9007199254740993',
  '123456789012345678901234567890',
];
const LITERALS = ['true', 'false', 'null', '""', '[]', '{}', '{"toString":1}', '[[]]', '{"toJSON":1}'];
const STRINGS = [
  '"x"',
  '""',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\\u001b[2J"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"ü🙂"',
  '"\u202e"',
  '"a/b/../c"',
  '".."',
  '"%2e%2e"',
  '"<script>"',
  '"then"',
  '"\\u0001"',
  '"a\\r\\nx: 1"',
];
const BROKEN = [
  'NaN',
  'Infinity',
  '-Infinity',
  '00',
  '0x10',
  '1.',
  '.5',
  '+1',
  'undefined',
  'None',
  'nul',
  '{bad}',
  '[,]',
  '{"a":}',
  "'x'",
  '"\\x"',
  '"\\u12"',
  '"a\\',
  '"unterminated',
  '"line\nbreak"',
  '"\u0000"',
];
const KEYS = [
  'a',
  'id',
  'name',
  'params',
  'method',
  'toString',
  '__proto__',
  'constructor',
  'then',
  'length',
  'toJSON',
  'valueOf',
  '\\u0069d',
  '',
];
const SLOW = [
  'key=',
  'ak=',
  'sk=',
  'pin=',
  'otp=',
  'password: ',
  '://',
  '@',
  'eyJ',
  '\\u0061',
  'a.',
  '1-',
  '-----BEGIN ',
];

/** Any JSON text; one in twenty only looks like one. */
export function anyValue(random: Random, depth = 3): string {
  if (random.chance(0.04)) return random.pick(BROKEN);
  switch (random.int(depth > 0 ? 8 : 5)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return random.pick(LITERALS);
    case 2:
    case 3:
      return random.pick(STRINGS);
    case 4:
      return random.chance(0.05) ? slowText(random) : String(random.int(1000));
    case 5:
      return `[${several(random, () => anyValue(random, depth - 1))}]`;
    default:
      return `{${several(random, () => `"${random.pick(KEYS)}":${anyValue(random, depth - 1)}`)}}`;
  }
}

/** A value that is right nine times of ten. */
export function mostly(random: Random, right: string, probability = 0.93): string {
  return random.chance(probability) ? right : anyValue(random, 2);
}

/** Brackets or braces around brackets or braces. */
export function nested(random: Random): string {
  const levels = random.pick([100, 1000, 10_000, DEPTH]);
  if (random.chance(0.5)) return '['.repeat(levels) + (random.chance(0.9) ? ']'.repeat(levels) : '');
  return `${'{"a":'.repeat(levels)}1${random.chance(0.9) ? '}'.repeat(levels) : ''}`;
}

/** The same word over and over: what a careless pattern takes long for. */
export function slowText(random: Random): string {
  return `"${random.pick(SLOW).repeat(random.pick([100, 1000, 4000]))}"`;
}

/** A long text. */
export function longText(random: Random): string {
  return `"${random.pick(['x', ' ', 'ü', '\\n', '[']).repeat(random.pick([1000, 70_000, 300_000]))}"`;
}

function several(random: Random, one: () => string): string {
  return Array.from({ length: random.int(4) }, one).join(',');
}
