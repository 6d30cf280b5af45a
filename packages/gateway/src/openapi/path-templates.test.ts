import { describe, expect, it } from 'vitest';
import type { SourceDocument } from './documents.ts';
import { toRequest } from './http-call.ts';
import { type Operations, operationsOf } from './operations.ts';
import { createReferences } from './references.ts';

type Parameters = readonly (readonly [place: string, name: string, more?: object])[];

function read(path: string, parameters: Parameters = [], given: readonly string[] = []): Operations {
  const declared = parameters.map(([place, name, more]) => ({ in: place, name, schema: {}, ...more }));
  const value = { paths: { [path]: { get: { operationId: 'x', parameters: declared } } } };
  const document: SourceDocument = { url: new URL('file:///api/openapi.json'), value };
  const references = createReferences({ root: document, others: new Map(), digests: [] });
  return operationsOf({ value, document }, { references, note: () => undefined, given: new Set(given) });
}

/** What is asked of callers, and what goes out. */
function called(path: string, parameters: Parameters, args: { readonly [name: string]: unknown }) {
  const { operations } = read(path, parameters);
  const [operation] = operations as [Operations['operations'][number]];
  const { properties, required } = operation.inputSchema as { properties: object; required: string[] };
  const request = toRequest({ operation, basePath: '/v1', args, idempotencyKey: undefined });
  return {
    asked: Object.keys(properties).map((name) => `${name}${required.includes(name) ? '!' : ''}`),
    sent: 'path' in request ? request.path : request,
  };
}

describe('a template in the query', () => {
  it.each<[string, Parameters, object, string[], string]>([
    ['/item?id={id}', [['path', 'id']], { id: 'a&b' }, ['id!'], '/v1/item?id=a%26b'],
    ['/item?id={id}', [['query', 'id']], { id: 7 }, ['id'], '/v1/item?id=7'],
    ['/item?id={id}', [['query', 'id']], {}, ['id'], '/v1/item'],
    [
      '/item?id={id}',
      [
        ['query', 'id'],
        ['path', 'id'],
      ],
      { id: 7 },
      ['id'],
      '/v1/item?id=7',
    ],
    ['/item?id={id}', [], { id: '7' }, ['id!'], '/v1/item?id=7'],
    ['/item?{?id}', [], {}, ['id'], '/v1/item'],
    [
      '/at?lat={y}&lon={x}',
      [
        ['query', 'x'],
        ['path', 'y'],
      ],
      { x: 1, y: 2 },
      ['y!', 'x'],
      '/v1/at?lat=2&lon=1',
    ],
    ['/at?a=1&b={b}&c=d?e', [['path', 'b']], { b: [1, '2,3'] }, ['b!'], '/v1/at?a=1&c=d?e&b=1,2%2C3'],
    [
      '/a/{id}?id={id}',
      [
        ['path', 'id'],
        ['query', 'id'],
      ],
      { id: 7, id_5b18f2e6: 8 },
      ['id!', 'id_5b18f2e6'],
      '/v1/a/7?id=8',
    ],
    ['/f?p%5Bid%5D={id}', [['path', 'id']], { id: 7 }, ['id!'], '/v1/f?p%5Bid%5D=7'],
    [
      '/pets{?status,limit}',
      [
        ['query', 'status'],
        ['query', 'limit'],
      ],
      { limit: 5 },
      ['status', 'limit'],
      '/v1/pets?limit=5',
    ],
    [
      '/pet/{id}{?force}',
      [
        ['path', 'id'],
        ['query', 'force'],
      ],
      { id: 7, force: true },
      ['id!', 'force'],
      '/v1/pet/7?force=true',
    ],
    ['/pets{?tags*}', [['query', 'tags']], { tags: ['a', 'b'] }, ['tags'], '/v1/pets?tags=a&tags=b'],
    ['/pets?a=1{&b}#part', [['path', 'b']], { b: 2 }, ['b'], '/v1/pets?a=1&b=2'],
    ['/pets?a=1&b={b}', [['query', 'a']], { a: 7, b: 2 }, ['b!'], '/v1/pets?a=1&b=2'],
  ])('is an argument of the query: %s %j %j', (path, parameters, args, asked, sent) => {
    const found = called(path, parameters, args as { readonly [name: string]: unknown });
    expect(found.asked).toEqual(asked);
    expect(found.sent).toEqual(sent);
  });

  it.each(['key', 'KEY', 'key[]'])('is asked of nobody where the operator gives it: %s', (key) => {
    const { operations } = read(`/item?${key}={key}{&id}`, [['path', 'key']], ['query key']);
    expect(operations[0]).toMatchObject({ path: '/item', inputSchema: { required: [] } });
    expect(Object.keys(operations[0]?.inputSchema['properties'] as object)).toEqual(['id']);
  });
});

describe('an operation is left out', () => {
  it.each<[string, Parameters]>([
    ['/x{#part}', []],
    ['/x{/a*}', [['path', 'a']]],
    ['/x{;a}', [['path', 'a']]],
    ['/x{.format}', [['path', 'format']]],
    ['/x/{a,b}', [['path', 'a']]],
    ['/x/{id:[0-9]{4}}', [['path', 'id']]],
    ['/x/{id:int}', [['path', 'id']]],
    ['/x/{id', [['path', 'id']]],
    ['/x/id}', []],
    ['/x/{}', []],
    ['/x/{a?b}', [['path', 'a?b']]],
    ['/x?{kind}=1', [['path', 'kind']]],
    ['/x?q=id:{id}', [['path', 'id']]],
    ['/x?{id}', [['path', 'id']]],
    ['/x{?a:3}', [['query', 'a']]],
    ['/x{?}', []],
    ['/x/{id}?parent={id}', [['path', 'id']]],
    [
      '/x?a={b}',
      [
        ['query', 'a'],
        ['path', 'b'],
      ],
    ],
  ])('where its path cannot be filled in: %s %j', (path, parameters) => {
    expect(read(path, parameters)).toEqual({
      operations: [],
      skipped: [`GET ${path}: a template in its path cannot be filled in`],
    });
  });

  it.each(['/x', '/x/:id', '/x#{id}', '/x/{Id}'])('where an argument would be lost: %s', (path) => {
    expect(read(path, [['path', 'id']])).toEqual({
      operations: [],
      skipped: [`GET ${path}: its path has no place for "id"`],
    });
  });
});

it('takes names in a path as they are declared, and plain ones that nothing declares', () => {
  expect(called('/a/{x:y}/{+z}', [['path', 'x:y']], { x_y: 1, z: 'b/c' })).toEqual({
    asked: ['x_y!', 'z!'],
    sent: '/v1/a/1/b/c',
  });
  expect(called("/users('{user-id}')/{größe}?acl#part", [], { 'user-id': 1, gr_e: 2 })).toEqual({
    asked: ['user-id!', 'gr_e!'],
    sent: "/v1/users('1')/2?acl",
  });
});
