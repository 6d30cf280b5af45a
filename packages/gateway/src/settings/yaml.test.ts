/** What is wrong with a text is told without a word of what it holds: some of it is keys and passwords. */
import { expect, it } from 'vitest';
import type { SettingsError } from './problems.ts';
import { readSettings } from './read-settings.ts';
import { parseYaml } from './yaml.ts';

const FILE = `listen: { port: 7350 }
keys:
  - { name: ann, key: HIDEMEKEY12345 }
upstreams:
  a:
    command: node
    env:
      API_TOKEN: HIDEMETOK99
      PASSWORD: "HIDEMEPW77"
  b:
    url: https://x.test/mcp
    headers: { authorization: 'Bearer HIDEMEBEARER' }
`;

const SLIPS = [
  '',
  ...['"', "'", '{', '}', '[', ']', ':', ' ', '\n', '- ', '|', '>', '&', '*', '!', '!!', '!<', '!x!', '%'],
  ...['@', '`', '#', ',', '\t', '? ', '---\n', '...\n', '\\q', '%TAG ', '%YAML '],
];

/** As an operator is told it: settings that cannot be used are named, too. */
function toldOfSettings(text: string): string {
  try {
    return readSettings(text, { env: {} })
      .warnings.map(({ path, message }) => `${path} ${message}`)
      .join('\n');
  } catch (error) {
    return (error as SettingsError).message;
  }
}

function told(text: string): string {
  return parseYaml(text)
    .problems.map(({ message }) => message)
    .join('\n');
}

/** Every fourth place, from another one for each slip; all of them where `PLACES=all` asks for it. */
const STRIDE = process.env['PLACES'] === 'all' ? 1 : 4;

it.each(SLIPS.map((slip, index) => [slip, index % STRIDE] as const))(
  'quotes nothing after a slip: %j',
  (slip, first) => {
    const quoting: string[] = [];
    for (let at = first; at <= FILE.length; at += STRIDE) {
      const [before, after, without] = [FILE.slice(0, at), FILE.slice(at), FILE.slice(at + 1)];
      for (const text of [`${before}${slip}${after}`, `${before}${slip}${without}`])
        if (toldOfSettings(text).includes('HIDEME')) quoting.push(text);
    }
    expect(quoting).toEqual([]);
  },
);

it.each([
  [
    ' a: 1\nb: 2',
    'Something stands where YAML does not expect it; check indentation and quotes (within braces, a variable needs them)',
  ],
  [
    'a: |HIDEME\n',
    'Something stands where YAML does not expect it; check indentation and quotes (within braces, a variable needs them)',
  ],
  ['a: "\\HIDEME"', 'A backslash in double quotes begins nothing known; use single quotes'],
  ['a: !x!HIDEME 1', 'A word that begins with ! is a tag, and this one is not known; put it in quotes'],
  ['a: { key:HIDEME }', 'Expected `name: value`, with a blank after the colon'],
  ['a: "HIDEME', 'Missing closing "quote'],
  ['a: @HIDEME', 'Plain value cannot start with reserved character @'],
])('says what is wrong with %j', (text, message) => {
  expect(told(text).split('\n')).toContain(message);
  expect(told(text)).not.toContain('HIDEME');
});

it.each([
  '{'.repeat(30),
  '[}'.repeat(30),
  '}'.repeat(40),
  'a: "\\q\\q\\q\\q"',
  'a: b: c: d: e',
  '!x !x !x !x !x a',
  'listen: {a, b, c, d, e}',
])('says of a line once what is wrong with it: %j', (text) => {
  const told = parseYaml(text).problems.map(({ line, message }) => `${line}: ${message}`);
  expect(told).not.toEqual([]);
  expect(new Set(told).size).toBe(told.length);
});
