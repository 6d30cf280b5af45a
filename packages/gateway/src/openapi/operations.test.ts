import { describe, expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import type { SourceDocument } from './documents.ts';
import { toRequest } from './http-call.ts';
import { type Operations, operationsOf } from './operations.ts';
import { createReferences } from './references.ts';
import { serverOf } from './servers.ts';

type Document = { readonly [key: string]: unknown };

function operations(value: Document): Operations & { readonly notes: readonly string[] } {
  const root: SourceDocument = { url: new URL('file:///api/openapi.json'), value };
  const others = new Map([['file:///etc/passwd', 'it is outside the folder or the origin of the document']]);
  const notes = new Set<string>();
  const references = createReferences({ root, others, digests: [] });
  const found = operationsOf({ value, document: root }, { references, note: (text) => void notes.add(text) });
  return { ...found, notes: [...notes] };
}

const schemaOf = (schema: unknown, components: Document = {}): unknown => {
  const { operations: found } = operations({
    components,
    paths: { '/x': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
  });
  return (found[0]?.inputSchema['properties'] as Document | undefined)?.['body'];
};

describe('operations', () => {
  it('become tools, or are told of with a reason', () => {
    const mixed = { required: true, content: { 'multipart/mixed': {} } };
    const { operations: found, skipped } = operations({
      paths: {
        '/a': { get: { operationId: 'same' }, post: { operationId: 'same' }, trace: {} },
        'b/{id}': { get: {} },
        '/upload': { put: { requestBody: mixed } },
        '/gone': { $ref: '#/components/pathItems/gone' },
        '/param': { get: { parameters: [{ $ref: '#/nowhere' }] } },
        'x-internal': { get: {} },
        '/null': null,
      },
    });
    expect(found.map(({ tool }) => tool)).toEqual([
      'same',
      expect.stringMatching(/^same_[0-9a-f]{8}$/),
      'get__b_id',
    ]);
    expect(found[2]).toMatchObject({ path: '/b/{id}', inputSchema: { required: ['id'] } });
    expect(skipped).toEqual([
      'TRACE /a: the method cannot be called',
      'PUT /upload: a body of type multipart/mixed cannot be sent',
      '/gone: $ref "#/components/pathItems/gone" leads nowhere',
      'GET /param: $ref "#/nowhere" leads nowhere',
    ]);
  });

  it('are left out where nothing of ours could call them', () => {
    const at = (url: string) => ({
      get: { operationId: url.replace(/\W/g, '').slice(0, 5), servers: [{ url }] },
    });
    const { operations: found, skipped } = operations({
      servers: [{ url: 'https://api.example' }],
      paths: {
        '/a': at('wss://stream.example/ws'),
        '/b': at('ftp://files.example'),
        '/c': at('file:///etc'),
        '/d': at('/other'),
        '/e': at('//other.example'),
        '/f': at('https://other.example'),
        '/g': { get: { operationId: 'g' }, servers: [{ url: 'ws://stream.example' }] },
        '/h': at('http://[nowhere'),
      },
    });
    expect(found.map(({ path }) => path)).toEqual(['/d', '/e', '/f']);
    expect(skipped).toEqual([
      'GET /a: its server is at wss:, where it cannot be called',
      'GET /b: its server is at ftp:, where it cannot be called',
      'GET /c: its server is at file:, where it cannot be called',
      'GET /g: its server is at ws:, where it cannot be called',
      'GET /h: its server is no URL',
    ]);
  });

  it('cost no more than their size where a few lines stand for gigabytes', () => {
    let bomb: unknown = 'lol';
    for (let level = 0; level < 7; level++) bomb = Array(9).fill(bomb);
    const started = threadClock();
    expect(schemaOf({ enum: bomb, default: bomb, const: { bomb } })).toEqual({});
    expect(threadClock() - started).toBeLessThan(1000);
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(schemaOf({ default: loop, enum: [{ a: [1, null, 'x'] }] })).toEqual({
      enum: [{ a: [1, null, 'x'] }],
    });
  });

  it('say by an example which of several alternatives goes by which name', () => {
    const animal = (name: string) => ({
      type: 'object',
      properties: { kind: { type: 'string' }, [name]: {} },
    });
    const components = { schemas: { Cat: animal('meow'), Dog: animal('bark') } };
    const oneOf = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }];
    const kinds = (discriminator: object) => {
      const { anyOf } = schemaOf({ oneOf, discriminator }, components) as {
        anyOf: { properties: { kind: unknown } }[];
      };
      return anyOf.map(({ properties: { kind } }) => kind);
    };
    expect(kinds({ propertyName: 'kind' })).toEqual([
      { type: 'string', examples: ['Cat'] },
      { type: 'string', examples: ['Dog'] },
    ]);
    const mapping = { c: 'Cat', k: '#/components/schemas/Cat' };
    expect(kinds({ propertyName: 'kind', mapping })).toEqual([
      { type: 'string', examples: ['c', 'k', 'Cat'] },
      { type: 'string', examples: ['Dog'] },
    ]);
    const base = (kind: object) => ({ Pet: { type: 'object', properties: { kind } } });
    const derived = (kind: object, discriminator: object) => {
      const made = (name: string) => ({ allOf: [{ $ref: '#/components/schemas/Pet' }, animal(name)] });
      const schemas = { ...base(kind), Cat: made('meow'), Dog: made('bark') };
      const { anyOf } = schemaOf({ oneOf, discriminator }, { schemas }) as {
        anyOf: { properties?: unknown }[];
      };
      return anyOf.map(({ properties }) => properties);
    };
    expect(derived({ type: 'string' }, { propertyName: 'kind' })).toEqual([
      { kind: { examples: ['Cat'] } },
      { kind: { examples: ['Dog'] } },
    ]);
    expect(derived({ enum: ['cat', 'dog'] }, { propertyName: 'kind', mapping: { cat: 'Cat' } })).toEqual([
      { kind: { examples: ['cat'] } },
      undefined,
    ]);
    expect(kinds({ propertyName: 'other' })).toEqual([{ type: 'string' }, { type: 'string' }]);
  });

  it('keep their arguments apart, under names that every client accepts', () => {
    const parameter = (name: string, place: string) => ({ name, in: place, schema: { type: 'string' } });
    const { operations: found } = operations({
      paths: {
        '/{id}': {
          parameters: [parameter('id', 'path')],
          post: {
            parameters: [
              parameter('id', 'query'),
              parameter('filter[name]', 'query'),
              parameter('body', 'query'),
              parameter('__proto__', 'query'),
              parameter('constructor', 'header'),
              parameter('Authorization', 'header'),
              parameter('Host', 'header'),
              parameter('session', 'cookie'),
              parameter('a b', 'cookie'),
            ],
            requestBody: { content: { 'application/json': { schema: {} } } },
          },
        },
      },
    });
    const names = Object.keys(found[0]?.inputSchema['properties'] as object);
    expect(names).toEqual([
      'id',
      expect.stringMatching(/^id_[0-9a-f]{8}$/),
      'filter_name',
      'body',
      'proto',
      'constructor',
      'session',
      expect.stringMatching(/^body_[0-9a-f]{8}$/),
    ]);
    expect(found[0]?.inputSchema['properties']).toMatchObject({
      filter_name: { description: '(filter[name])' },
    });
    expect(found[0]?.inputSchema['required']).toEqual(['id']);
  });

  it('leave the header of idempotency keys to the gateway', () => {
    const key = { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } };
    const { operations: found } = operations({ paths: { '/x': { post: { parameters: [key] } } } });
    expect(found[0]).toMatchObject({
      parameters: [{ name: 'Idempotency-Key', isIdempotencyKey: true, isRequired: true }],
      inputSchema: { required: [] },
    });
    expect(found[0]?.inputSchema['properties']).toEqual({});
  });
});

describe('a schema', () => {
  it('becomes plain JSON Schema', () => {
    expect(
      schemaOf({
        type: 'object',
        required: ['a', 7],
        properties: {
          a: { type: 'string', nullable: true, example: 'x', 'x-internal': true, enum: ['u', 'v'] },
          b: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: '9' },
          c: { type: 'file', pattern: '(', minLength: -1, default: 'd' },
          d: { type: ['string', 'null', 'any'], required: true, items: [{ type: 'string' }] },
          e: { oneOf: [{ type: 'string' }, { type: 'string', format: 'uuid' }] },
        },
      }),
    ).toEqual({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: ['string', 'null'], enum: ['u', 'v', null] },
        b: { type: 'integer', exclusiveMinimum: 1 },
        c: { default: 'd' },
        d: { type: ['string', 'null'], prefixItems: [{ type: 'string' }] },
        e: { anyOf: [{ type: 'string' }, { type: 'string', format: 'uuid' }] },
      },
    });
  });

  it('that contains itself ends in anything', () => {
    const components = {
      Node: {
        type: 'object',
        properties: {
          next: { $ref: '#/components/Node', description: 'the next' },
          not: { not: { $ref: '#/components/Node' } },
        },
      },
    };
    expect(schemaOf({ $ref: '#/components/Node' }, components)).toEqual({
      type: 'object',
      properties: {
        next: {
          type: 'object',
          description: 'the next',
          properties: { next: {}, not: {} },
        },
        not: {},
      },
    });
  });

  it('that grows without bounds is cut to a size that is of use', () => {
    const components: { [name: string]: unknown } = { L20: { type: 'string' } };
    for (let i = 0; i < 20; i++) {
      const properties = Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [name, { $ref: `#/components/L${i + 1}` }]),
      );
      components[`L${i}`] = { type: 'object', properties };
    }
    const size = JSON.stringify(schemaOf({ $ref: '#/components/L0' }, components)).length;
    expect(size).toBeGreaterThan(500);
    expect(size).toBeLessThan(100_000);
  });

  it('finds nothing where a reference is no pointer', () => {
    const { notes } = operations({
      paths: {
        '/x': { post: { requestBody: { content: { 'application/json': { schema: { $ref: '#Order' } } } } } },
      },
    });
    expect(notes).toEqual(['$ref "#Order" is no JSON Pointer']);
  });

  it('never holds what lies outside, and the operator is told', () => {
    const { operations: found, notes } = operations({
      paths: {
        '/x': {
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: 'file:///etc/passwd' } } } },
          },
        },
      },
    });
    expect(found[0]?.inputSchema['properties']).toEqual({ body: {} });
    expect(notes).toEqual([
      '$ref "file:///etc/passwd": it is outside the folder or the origin of the document',
    ]);
  });

  it.each([
    [null],
    [7],
    ['text'],
    [[]],
    [{ $ref: 7 }],
    [{ $ref: '' }],
    [{ properties: 7, allOf: {}, enum: [] }],
  ])('that is none allows anything: %j', (schema) => {
    expect(schemaOf(schema)).toEqual({});
  });
});

it.each<[string, object, object, string]>([
  ['a label', { style: 'label' }, ['a', 'b'], '/x/.a,b'],
  ['exploded labels', { style: 'label', explode: true }, ['a', 'b'], '/x/.a.b'],
  ['a matrix', { style: 'matrix', explode: true }, ['a', 'b'], '/x/;id=a;id=b'],
  ['a list', {}, ['a', 'b,c'], '/x/a,b%2Cc'],
  ['an object', {}, { r: 1, g: 'x/y' }, '/x/r,1,g,x%2Fy'],
  ['an exploded object', { explode: true }, { R: 100, G: 'a=b,c' }, '/x/R=100,G=a%3Db%2Cc'],
  ['an exploded object as labels', { style: 'label', explode: true }, { R: 100, G: 200 }, '/x/.R=100.G=200'],
  ['an exploded object as a matrix', { style: 'matrix', explode: true }, { R: 100, G: '' }, '/x/;R=100;G='],
  ['names like values', { style: 'matrix', explode: true }, { 'a=b;c': 'd' }, '/x/;a%3Db%3Bc=d'],
])('puts %s into a path', (_what, style, id, path) => {
  const parameters = [{ name: 'id', in: 'path', schema: {}, ...style }];
  const { operations: found } = operations({ paths: { '/x/{id}': { get: { parameters } } } });
  const [operation] = found as [Operations['operations'][number]];
  expect(toRequest({ operation, basePath: '/', args: { id }, idempotencyKey: undefined })).toMatchObject({
    path,
  });
});

it('knows which types an operation answers with', () => {
  const accepted = (content: object): string | undefined =>
    operations({
      paths: { '/x': { get: { responses: { 200: { content }, 404: { content: { 'a/b': {} } } } } } },
    }).operations[0]?.accept;
  expect(accepted({ 'text/csv': {}, 'application/vnd.api+json': {} })).toBe(
    'application/vnd.api+json, text/csv',
  );
  expect(accepted({ 'application/json': {}, 'text/csv': {} })).toBeUndefined();
  expect(accepted({ 'a/b\r\nx: y': {}, '*/*': {} })).toBeUndefined();
});

describe('the server', () => {
  const at = (value: Document, url = 'file:///api.json') => serverOf(value, new URL(url));

  it('has its variables filled in', () => {
    const variables = {
      region: { default: 'eu', enum: ['us', 'eu'] },
      version: { enum: ['v2'] },
      port: { default: 8443 },
    };
    expect(at({ servers: [{ url: 'https://{region}.api.example:{port}/{version}', variables }] })).toEqual({
      url: 'https://eu.api.example:8443/v2',
    });
    expect(at({ servers: [{ url: 'https://{tenant}.example' }] })).toEqual({
      note: 'the server of the document has no value for tenant; set base_url',
    });
  });

  it('is seen from where the document is', () => {
    expect(at({ servers: [{ url: '/v1' }] }, 'https://api.example/docs/openapi.json')).toEqual({
      url: 'https://api.example/v1',
    });
    expect(at({}, 'https://api.example/docs/openapi.json')).toEqual({ url: 'https://api.example/' });
    expect(at({})).toEqual({});
    expect(at({ servers: [{ url: '/v1' }] })).toEqual({});
    expect(at({ servers: [{ url: 'ftp://api.example' }] })).toEqual({});
    expect(at({ servers: 'https://api.example' })).toEqual({});
  });
});

it('knows which members of a form the document wants in brackets', () => {
  const form = {
    schema: {},
    encoding: { expand: { style: 'deepObject', explode: true }, tags: { style: 'form' } },
  };
  const requestBody = { content: { 'application/x-www-form-urlencoded': form } };
  const { operations: found } = operations({ paths: { '/x': { post: { requestBody } } } });
  expect(found[0]?.body).toMatchObject({ fields: { expand: { inBrackets: true } } });
});

describe('a body of several types', () => {
  const PATCH = { type: 'object', description: 'A change' };
  const patched = (...types: string[]): { type: string | undefined; schema: Document | undefined } => {
    const content = Object.fromEntries(types.map((type) => [type, { schema: PATCH }]));
    const [found] = operations({ paths: { '/x': { patch: { requestBody: { content } } } } }).operations;
    const { body } = (found?.inputSchema['properties'] ?? {}) as { body?: Document };
    return { type: found?.body?.type, schema: body };
  };

  it('is sent as the one that fits what it is told to be', () => {
    const { type, schema } = patched(
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
    );
    expect([type, schema?.['type']]).toEqual(['application/merge-patch+json', 'object']);
    expect(patched('application/json-patch+json', 'application/vnd.x+json').type).toBe(
      'application/vnd.x+json',
    );
    expect(patched('application/merge-patch+json', 'application/json').type).toBe('application/json');
  });

  it('is a list where only a JSON Patch is taken', () => {
    expect(patched('application/json-patch+json')).toMatchObject({
      type: 'application/json-patch+json',
      schema: { type: 'array', items: { required: ['op', 'path'] } },
    });
  });
});

it('takes a text for what it is, also where a document calls it bytes', () => {
  const content = { 'text/plain': { schema: { type: 'string', format: 'byte', description: 'Lines' } } };
  const [found] = operations({ paths: { '/write': { post: { requestBody: { content } } } } }).operations;
  expect(found?.inputSchema['properties']).toEqual({ body: { type: 'string', description: 'Lines' } });
});

it('has a media type for a part where a document names several', () => {
  const schema = { type: 'object', properties: { picture: { type: 'string', format: 'binary' } } };
  const encoding = { picture: { contentType: 'image/png, image/jpeg' } };
  const content = { 'multipart/form-data': { schema, encoding } };
  const [found] = operations({ paths: { '/x': { post: { requestBody: { content } } } } }).operations;
  expect(found?.body?.fields).toEqual({ picture: { isFile: true, type: 'image/png' } });
});
