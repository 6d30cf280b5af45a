/** Names that were made to collide, or to be taken for something else, from docs/shaping.md: unique all the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import '../support/policy.ts';
import { names, PATIENT, told, tool } from '../support/shaping.ts';

const CLASH = ['a_b_52cba90c', 'a.b', 'a_b', 'a b', 'read_text_file', 'read', 'read_3316348d'];
const BUILT_IN = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'x', 'prototype'];

const puppets: HttpPuppet[] = [];
async function server(...tools: string[]): Promise<string> {
  const puppet = await startHttpPuppet({ tools: tools.map((name) => tool(name)) });
  puppets.push(puppet);
  return puppet.url;
}
let urls: string[] = [];
beforeAll(async () => {
  urls = [
    await server(...CLASH),
    await server(...BUILT_IN),
    await server('b-c', 'c', 'one', 'two', 'three'),
    await server('search_tools', 'call_tool', 'describe_tools', 'real'),
    await server('a.b', 'a_b', 'a b', 'read_text_file', 'read'),
  ];
});
afterAll(async () => {
  await Promise.all(puppets.map((puppet) => puppet.close()));
});
const gateway = keepGateway(() => {
  const [files, built, t, three, few] = urls;
  return startGateway({
    joined: PATIENT,
    upstreams: {
      files: { url: files, tools: { rename: { read_text_file: 'read' } } },
      built: { url: built, tools: { rename: { x: 'y' }, descriptions: { y: 'never' }, deny: ['z'] } },
      t: { url: t, tools: { rename: { one: 'two', two: 'one', three: 'c', c: 'three' } } },
      't-b': { url: t },
      // The name of a tool that is not there was given to another.
      hides: { url: few, tools: { deny: ['read'], rename: { read_text_file: 'read' } } },
      three: { url: three, tools: { discovery: 'lazy' } },
    },
    virtual: {
      clash: { tools: ['files/*'] },
      given: { tools: ['built/*'], rename: { 'built/x': 'constructor' }, separator: '' },
      dash: { tools: ['t/*', 't-b/*'], separator: '-' },
      bare: { tools: ['three/*'], separator: '', discovery: 'lazy' },
      taken: { tools: ['files/a_b', 't/*'], rename: { 't/three': 'files_a_b' } },
    },
  });
});

/** The names of an endpoint, and what each of them calls. */
async function calls(endpoint: string, prefix = ''): Promise<Record<string, string>> {
  const listed = (await names(gateway(), endpoint)).filter((name) => name.startsWith(prefix));
  expect(new Set(listed).size).toBe(listed.length);
  const texts = await Promise.all(listed.map((name) => told(gateway(), endpoint, name, { text: 'hi' })));
  return Object.fromEntries(listed.map((name, index) => [name, texts[index] ?? '']));
}
const every = (tools: readonly string[]): string[] => tools.map((name) => `${name}: hi`).sort();

describe('tools whose names are alike', () => {
  it.each([
    ['', 'files_'],
    ['clash', ''],
  ])('are all there at /%s, each under one name, and called by it', async (endpoint, prefix) => {
    const found = await calls(endpoint, prefix);
    expect(Object.values(found).sort()).toEqual(every(CLASH));
    expect(Object.keys(found).filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
  });

  it('at the own endpoint too', async () => {
    expect(Object.values(await calls('files')).sort()).toEqual(every(CLASH));
  });
});

it('a tool that is not there is not reached by the name that it would have had', async () => {
  expect(await names(gateway(), 'hides')).toEqual(['a.b', 'a_b', 'a b', 'read']);
  expect(await told(gateway(), 'hides', 'read', { text: 'hi' })).toBe('read_text_file: hi');
  const fates = await Promise.all([
    told(gateway(), 'hides', 'read_3316348d'),
    told(gateway(), '', 'hides_read_3316348d'),
    told(gateway(), '', 'hides_read_text_file'),
  ]);
  expect(fates).toEqual(['not_found/no', 'not_found/no', 'not_found/no']);
});

describe('names that every object has', () => {
  it('are names like others', async () => {
    expect(await names(gateway(), 'built')).toEqual([
      'constructor',
      'toString',
      '__proto__',
      'hasOwnProperty',
      'y',
      'prototype',
    ]);
    expect(await told(gateway(), 'built', 'toString', { text: 'hi' })).toBe('toString: hi');
    expect(await told(gateway(), 'built', '__proto__', { text: 'hi' })).toBe('__proto__: hi');
    expect(await told(gateway(), 'built', 'valueOf', { text: 'hi' })).toBe('not_found/no');
  });
});

it('a name that every object has can be given', async () => {
  const found = await calls('given');
  expect(found['constructor']).toBe('x: hi');
  expect(Object.values(found).sort()).toEqual(every(BUILT_IN));
});

it('names can be exchanged', async () => {
  expect(await calls('t')).toEqual({
    'b-c': 'b-c: hi',
    three: 'c: hi',
    two: 'one: hi',
    one: 'two: hi',
    c: 'three: hi',
  });
});

it('a separator that upstreams have in their names does not make two of one', async () => {
  const found = await calls('dash');
  expect(Object.keys(found)).toHaveLength(10);
  expect(Object.values(found).sort()).toEqual(
    every(['b-c', 'b-c', 'c', 'c', 'one', 'one', 'two', 'two', 'three', 'three']),
  );
});

it('a name that was given goes to the one that it was given to', async () => {
  const found = await calls('taken');
  expect(found['files_a_b']).toBe('three: hi');
  expect(Object.values(found)).toContain('a_b: hi');
});

describe('tools that are called like the three', () => {
  it.each(['three', 'bare'])('are reached with call_tool at /%s', async (endpoint) => {
    expect(await names(gateway(), endpoint)).toEqual(['search_tools', 'describe_tools', 'call_tool']);
    const texts = await Promise.all(
      ['search_tools', 'call_tool', 'describe_tools', 'real'].map((name) =>
        told(gateway(), endpoint, 'call_tool', { name, arguments: { text: 'hi' } }),
      ),
    );
    expect(texts).toEqual(['search_tools: hi', 'call_tool: hi', 'describe_tools: hi', 'real: hi']);
  });
});
