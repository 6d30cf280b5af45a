/** `upstreams.*.tools`, from docs/shaping.md: what callers see of one upstream, at each of its endpoints. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { definitions, fault, names, PATIENT, told, tool } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const OUTPUT = { type: 'object', properties: { n: { type: 'integer' } } };
const TOOLS = [
  tool('read_text_file', {
    title: 'Read',
    description: 'Old words.',
    outputSchema: OUTPUT,
    annotations: { readOnlyHint: true },
  }),
  tool('read_media_file'),
  tool('read', { description: 'The shorter one.' }),
  tool('Read_log'),
  tool('list_directory'),
  tool('list_directory_2'),
  tool('move_file'),
  tool('write_file'),
  tool('a.c'),
  tool('abc'),
  tool('f(x)[1]+?'),
  tool('fx1'),
];
const SHAPE = {
  allow: ['read*', 'list_directory', '*ve_f*', 'a.c', 'f(x)[1]+?'],
  deny: ['*_media_file'],
  rename: { read_text_file: 'read', move_file: 'mv-1' },
  descriptions: { read_text_file: 'Reads a text file of the project.', list_directory: 'Lists.' },
};
/** `3316348d` are the first digits of `printf read | sha256sum`. */
const OWN = ['read', 'read_3316348d', 'list_directory', 'mv-1', 'a.c', 'f(x)[1]+?'];

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ tools: TOOLS });
});
afterAll(() => http.close());
const gateway = keepGateway(() =>
  startGateway({
    joined: PATIENT,
    upstreams: {
      u: { url: http.url, tools: SHAPE },
      s: stdio({ tools: TOOLS }, { tools: SHAPE }),
      all: stdio(),
    },
    virtual: { v: { tools: ['u/*', 's/*'] } },
  }),
);

it('an upstream without `tools` shows everything', async () => {
  expect(await names(gateway(), 'all')).toEqual(['echo', 'pay', 'lookup']);
});

describe.each(['u', 's'])('the upstream %s', (upstream) => {
  it('lists what is allowed and not denied, under its new names, in the server’s order', async () => {
    expect(await names(gateway(), upstream)).toEqual(OWN);
  });

  it.each(['', 'v'])('and the same at /%s', async (endpoint) => {
    const here = (await names(gateway(), endpoint)).filter((name) => name.startsWith(`${upstream}_`));
    expect(here.slice(0, 4)).toEqual([
      `${upstream}_read`,
      `${upstream}_read_3316348d`,
      `${upstream}_list_directory`,
      `${upstream}_mv-1`,
    ]);
    expect(here).toHaveLength(6);
  });

  it('exchanges names and descriptions, and nothing else', async () => {
    const [first, second, third] = await definitions(gateway(), upstream);
    expect(first).toEqual({
      name: 'read',
      title: 'Read',
      description: 'Reads a text file of the project.',
      inputSchema: { type: 'object' },
      outputSchema: OUTPUT,
      annotations: { readOnlyHint: true },
    });
    expect(second).toEqual({
      name: 'read_3316348d',
      description: 'The shorter one.',
      inputSchema: { type: 'object' },
    });
    expect(third).toEqual({
      name: 'list_directory',
      description: 'Lists.',
      inputSchema: { type: 'object' },
    });
  });

  it.each([
    ['read', 'read_text_file: hi'],
    ['read_3316348d', 'read: hi'],
    ['list_directory', 'list_directory: hi'],
    ['mv-1', 'move_file: hi'],
    ['a.c', 'a.c: hi'],
    ['f(x)[1]+?', 'f(x)[1]+?: hi'],
  ])('%s calls %s', async (name, text) => {
    expect(await told(gateway(), upstream, name, { text: 'hi' })).toBe(text);
  });

  it.each([
    ['', 'read', 'read_text_file: hi'],
    ['', 'read_3316348d', 'read: hi'],
    ['', 'mv-1', 'move_file: hi'],
    ['v', 'read', 'read_text_file: hi'],
    ['v', 'read_3316348d', 'read: hi'],
  ])('at /%s with its prefix, %s calls %s', async (endpoint, name, text) => {
    expect(await told(gateway(), endpoint, `${upstream}_${name}`, { text: 'hi' })).toBe(text);
  });

  const HIDDEN = [
    'read_text_file',
    'read_media_file',
    'Read_log',
    'list_directory_2',
    'move_file',
    'abc',
    'fx1',
  ];
  it.each(HIDDEN)('%s is unknown everywhere', async (name) => {
    const fates = await Promise.all([
      told(gateway(), upstream, name),
      told(gateway(), '', `${upstream}_${name}`),
      told(gateway(), 'v', `${upstream}_${name}`),
      told(gateway(), '', name),
      told(gateway(), 'v', name),
      told(gateway(), 'v', `${upstream}/${name}`),
    ]);
    expect(fates).toEqual([
      'not_found/no',
      'not_found/no',
      'not_found/no',
      'not_found/no',
      'not_found/no',
      'not_found/no',
    ]);
  });

  it.each([upstream, '', 'v'])(
    'a tool that is not there is told at /%s like one that nobody has',
    async (endpoint) => {
      const prefix = endpoint === upstream ? '' : `${upstream}_`;
      const [hidden, unknown] = await Promise.all([
        fault(gateway(), endpoint, `${prefix}write_file`),
        fault(gateway(), endpoint, `${prefix}wrote_file`),
      ]);
      const plain = (each: object, name: string): string =>
        JSON.stringify({ ...each, correlation_id: '', correlationId: '', at: 0 }).replaceAll(name, 'NAME');
      expect(hidden['kind']).toBe('not_found');
      expect(plain(hidden, 'write_file')).toBe(plain(unknown, 'wrote_file'));
    },
  );
});

it('the server was not asked for any of it', () => {
  const called = http.arrivals
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body))
    .filter((message) => message.method === 'tools/call')
    .map((message) => message.params.name);
  expect(new Set(called)).toEqual(
    new Set(['read_text_file', 'read', 'list_directory', 'move_file', 'a.c', 'f(x)[1]+?']),
  );
});
