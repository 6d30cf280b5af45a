/** Names that every client takes, from docs/shaping.md: at most 64 characters, unique, the same after a restart. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import '../support/policy.ts';
import { names, PATIENT, told, tool } from '../support/shaping.ts';

const LONG = 'x'.repeat(200);
/** What servers call their tools, some of them to do harm. */
const HOSTILE = [
  'read_file',
  'a.b',
  'a_b',
  'a/b',
  'a b',
  '',
  ' ',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'é',
  'ę',
  '💥',
  '\u202Eevil',
  'x\u0000y',
  'line\nbreak',
  '"quoted\\"',
  'x'.repeat(58),
  'x'.repeat(59),
  LONG,
  `${LONG}y`,
  'search_tools',
  'call_tool',
  '*',
];

let [files, more]: HttpPuppet[] = [];
beforeAll(async () => {
  [files, more] = await Promise.all([
    startHttpPuppet({ tools: HOSTILE.map((name) => tool(name)) }),
    startHttpPuppet({ tools: ['b_c', 'c', 'a_b', 'read_file'].map((name) => tool(name)) }),
  ]);
});
afterAll(async () => {
  await Promise.all([files?.close(), more?.close()]);
});
function start(): Promise<Gateway> {
  return startGateway({
    joined: PATIENT,
    upstreams: {
      files: { url: files?.url },
      a: { url: more?.url },
      'a-b': { url: more?.url },
    },
    virtual: {
      v: { tools: ['files/*'] },
      dotted: { tools: ['files/*'], separator: '.' },
      slashed: { tools: ['files/a*', 'a/*'], separator: '/' },
      bare: { tools: ['a/*', 'a-b/*', 'files/read_file'], separator: '' },
      given: {
        tools: ['a/*'],
        rename: { 'a/c': 'a_a_b' },
      },
    },
  });
}
const gateway = keepGateway(start);

const ADDED = (whole: string): string => createHash('sha256').update(whole).digest('hex').slice(0, 8);

describe('the names of the page', () => {
  it.each([
    ['files_read_file', 'read_file: hi'],
    ['files_a_b_52cba90c', 'a.b: hi'],
    ['files_a_b', 'a_b: hi'],
  ])('%s is there, and calls %s', async (name, text) => {
    expect(await names(gateway(), '')).toContain(name);
    expect(await told(gateway(), '', name, { text: 'hi' })).toBe(text);
  });
});

describe.each([
  ['', /^[A-Za-z0-9_-]{1,64}$/],
  ['v', /^[A-Za-z0-9_-]{1,64}$/],
  ['dotted', /^[A-Za-z0-9_.-]{1,64}$/],
])('at /%s', (endpoint, form) => {
  it('every name fits, every one is unique, and none is left out', async () => {
    const listed = (await names(gateway(), endpoint)).filter((name) => name.startsWith('files'));
    expect(listed.filter((name) => !form.test(name))).toEqual([]);
    expect(new Set(listed).size).toBe(HOSTILE.length);
    expect(listed).toHaveLength(HOSTILE.length);
  });

  it('every name calls its own tool', async () => {
    const listed = (await names(gateway(), endpoint)).filter((name) => name.startsWith('files'));
    const texts = await Promise.all(listed.map((name) => told(gateway(), endpoint, name, { text: 'hi' })));
    expect(texts).toEqual(HOSTILE.map((name) => `${name}: hi`));
  });
});

it('a name that is none is cut to 55 characters, and has the digits of `upstream/name`', async () => {
  const listed = await names(gateway(), 'v');
  expect(listed).toContain(`files_${'x'.repeat(58)}`);
  expect(listed).toContain(`files_${'x'.repeat(49)}_${ADDED(`files/${'x'.repeat(59)}`)}`);
  expect(listed).toContain(`files_${'x'.repeat(49)}_${ADDED(`files/${LONG}`)}`);
  expect(listed).toContain(`files_${'x'.repeat(49)}_${ADDED(`files/${LONG}y`)}`);
  expect(listed).toContain(`files_a_b_${ADDED('files/a b')}`);
  expect(listed).toContain(`files_______etc_passwd_${ADDED('files/../../etc/passwd')}`);
  expect(listed).toContain('files___proto__');
});

it('at an upstream’s own endpoint names are the server’s, whatever they are', async () => {
  expect(await names(gateway(), 'files')).toEqual(HOSTILE);
});

it('a separator of its own is between upstream and tool', async () => {
  expect(await names(gateway(), 'slashed')).toEqual(
    expect.arrayContaining(['files/a_b', `files/a_b_52cba90c`, 'a/b_c', 'a/c', 'a/a_b', 'a/read_file']),
  );
  expect(await told(gateway(), 'slashed', 'a/b_c', { text: 'hi' })).toBe('b_c: hi');
});

it('with an empty separator the first keeps its name, and the others are prefixed', async () => {
  expect(await names(gateway(), 'bare')).toEqual([
    'read_file',
    'b_c',
    'c',
    'a_b',
    'a_read_file',
    'a-b_b_c',
    'a-b_c',
    'a-b_a_b',
    'a-b_read_file',
  ]);
  const texts = await Promise.all(
    ['read_file', 'c', 'a-b_c'].map((name) => told(gateway(), 'bare', name, { text: 'hi' })),
  );
  expect(texts).toEqual(['read_file: hi', 'c: hi', 'c: hi']);
});

it('a name that was given to another leaves it one of its own', async () => {
  const listed = await names(gateway(), 'given');
  expect(listed).toEqual(['a_b_c', 'a_a_b', expect.stringMatching(/^a_a_b_[0-9a-f]{8}$/), 'a_read_file']);
  const texts = await Promise.all(listed.map((name) => told(gateway(), 'given', name, { text: 'hi' })));
  expect(texts).toEqual(['b_c: hi', 'c: hi', 'a_b: hi', 'read_file: hi']);
});

it('a gateway that was never asked for a list finds the tool of each name', async () => {
  const listed = await names(gateway(), '');
  const other = await start();
  const texts = await Promise.all(
    ['files_a_b_52cba90c', 'files_a_b', `files_${'x'.repeat(49)}_${ADDED(`files/${LONG}`)}`].map((name) =>
      told(other, '', name, { text: 'hi' }),
    ),
  );
  const again = await names(other, '');
  await other.stop('SIGKILL');
  expect(texts).toEqual(['a.b: hi', 'a_b: hi', `${LONG}: hi`]);
  expect(again).toEqual(listed);
});
