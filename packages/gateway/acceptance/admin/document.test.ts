/** The OpenAPI document of the admin API, from docs/admin.md: complete, and every answer is as it says. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { admin, asked, failed, fresh, made, type Told } from '../support/admin.ts';
import { keepHouse } from '../support/admin-house.ts';
import type { Message } from '../support/http.ts';

const { gateway } = keepHouse((url) => ({
  admin: { requests_per_minute: 5000 },
  access: { rules: [{ approve: ['u/pay'] }] },
  upstreams: { u: { url: url, breaker: false } },
}));

const OPERATIONS = [
  'get /approvals',
  'get /audit',
  'get /audit/verify',
  'get /credentials',
  'get /faults',
  'get /faults/groups',
  'get /faults/groups/{fingerprint}',
  'get /faults/stream',
  'get /keys',
  'get /keys/{id}',
  'get /openapi.json',
  'get /status',
  'post /approvals/{id}/approve',
  'post /approvals/{id}/reject',
  'post /credentials',
  'post /credentials/remove',
  'post /keys',
  'post /keys/{id}/revoke',
  'post /keys/{id}/rotate',
];

async function served(): Promise<Message> {
  return (await admin(gateway(), '/openapi.json')).body;
}

/** Checks with all schemas of the document. */
function checker(document: Message): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  return ajv.addSchema({ ...document, $id: 'document' });
}

/** What the document says is wrong with an answer; nothing, if it is as described. */
function wrongWith(document: Message, ajv: Ajv2020, operation: string, told: Told): unknown {
  const [method, path] = operation.split(' ');
  const described = document['paths'][path ?? ''][method ?? ''].responses[String(told.status)];
  const type = String(told.headers['content-type']).split(';')[0] ?? '';
  const place = `#/paths/${(path ?? '').replaceAll('/', '~1')}/${method}/responses/${told.status}/content/${type.replaceAll('/', '~1')}/schema`;
  if (described?.content?.[type] === undefined) return `${operation} ${told.status} ${type} is not described`;
  const check = ajv.compile({ $ref: `document${encodeURI(place)}` });
  return check(told.body) ? undefined : [operation, told.body, check.errors];
}

describe('the document', () => {
  it('is OpenAPI 3.1, and the one of the package', async () => {
    const { status, headers, body } = await admin(gateway(), '/openapi.json');
    expect([status, headers['content-type'], body['openapi']]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
      expect.stringMatching(/^3\.1\./),
    ]);
    const file = new URL(import.meta.resolve('@mayday/gateway/admin.openapi.json'));
    expect(body).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  it('has the operations of the page, and no others', async () => {
    const document = await served();
    const found = Object.entries(document['paths'] as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(found.sort()).toEqual(OPERATIONS);
    const page = readFileSync(new URL('../../../../docs/admin.md', import.meta.url), 'utf8');
    const table = [...page.matchAll(/^\| (GET|POST) \| `([^`]+)`/gm)].map(
      ([, method, path]) => `${method?.toLowerCase()} ${path}`,
    );
    expect(table.sort()).toEqual(OPERATIONS);
  });

  it('refers to nothing that is not there, and has each id once', async () => {
    const document = await served();
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name ?? '',
    );
    expect(names.filter((name) => document['components'].schemas[name] === undefined)).toEqual([]);
    expect(text.split('"$ref"').length - 1).toBe(names.length);
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([19, 19]);
    expect(document['components'].securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' });
  });
});

describe('every answer is as described', () => {
  it('of what works', async () => {
    await failed(gateway(), 'The drawer is locked');
    const { id } = await made(gateway(), {
      name: fresh('doc'),
      tenant: 't',
      scopes: ['s'],
      upstreams: ['u'],
      expires_in_ms: 1000_000,
    });
    const [yes, no] = [
      await asked(gateway(), 'pay', { n: fresh('y') }),
      await asked(gateway(), 'pay', { n: fresh('n') }),
    ];
    await expect
      .poll(async () => (await admin(gateway(), '/faults')).body['faults'].length, { timeout: 8000 })
      .toBeGreaterThan(0);
    const print = (await admin(gateway(), '/faults/groups')).body['groups'][0].fingerprint;
    const told: [string, Told][] = [
      ['get /status', await admin(gateway(), '/status')],
      ['get /keys', await admin(gateway(), '/keys')],
      ['post /keys', await admin(gateway(), '/keys', { name: fresh('doc') })],
      ['get /keys/{id}', await admin(gateway(), `/keys/${id}`)],
      ['post /keys/{id}/rotate', await admin(gateway(), `/keys/${id}/rotate`, {})],
      ['post /keys/{id}/revoke', await admin(gateway(), `/keys/${id}/revoke`, {})],
      ['get /approvals', await admin(gateway(), '/approvals')],
      ['post /approvals/{id}/approve', await admin(gateway(), `/approvals/${yes}/approve`, {})],
      ['post /approvals/{id}/reject', await admin(gateway(), `/approvals/${no}/reject`, {})],
      ['get /faults', await admin(gateway(), '/faults')],
      ['get /faults/groups', await admin(gateway(), '/faults/groups')],
      ['get /faults/groups/{fingerprint}', await admin(gateway(), `/faults/groups/${print}`)],
      ['get /audit', await admin(gateway(), '/audit')],
      ['get /audit/verify', await admin(gateway(), '/audit/verify')],
      ['get /openapi.json', await admin(gateway(), '/openapi.json')],
    ];
    expect(told.filter(([, { status }]) => status >= 300)).toEqual([]);
    const document = await served();
    const ajv = checker(document);
    const wrong = told.map(([operation, each]) => wrongWith(document, ajv, operation, each));
    expect(wrong.filter((each) => each !== undefined)).toEqual([]);
  });

  it('of what fails, wherever that can be', async () => {
    const gone = await made(gateway(), { name: fresh('gone') });
    await admin(gateway(), `/keys/${gone['id']}/revoke`, {});
    const paths = OPERATIONS.map((operation): [string, string, object | undefined] => {
      const [method, path] = operation.split(' ');
      const filled = (path ?? '').replace('{id}', gone['id']).replace('{fingerprint}', '1.0');
      return [operation, filled, method === 'post' ? {} : undefined];
    });
    const told = (
      await Promise.all(
        paths.map(
          async ([operation, path, body]): Promise<[string, Told][]> => [
            [operation, await admin(gateway(), path, body, { key: undefined })],
            [operation, await admin(gateway(), path, body, { headers: { origin: 'https://evil.example' } })],
            [operation, await admin(gateway(), `${path}?nonesuch=1`, body)],
          ],
        ),
      )
    ).flat();
    const changes = paths.filter(([, , body]) => body !== undefined);
    for (const [operation, path] of changes) {
      told.push([operation, await admin(gateway(), path, '{', {})]);
      told.push([
        operation,
        await admin(gateway(), path, '{}', { headers: { 'content-type': 'text/plain' } }),
      ]);
      told.push([operation, await admin(gateway(), path, ' '.repeat(300_000))]);
      told.push([operation, await admin(gateway(), path, { name: 'ann' })]);
      told.push([operation, await admin(gateway(), path.replace(gone['id'], 'nonesuch'), {})]);
    }
    told.push(['post /keys/{id}/rotate', await admin(gateway(), `/keys/${gone['id']}/rotate`, {})]);
    told.push(['post /keys/{id}/revoke', await admin(gateway(), `/keys/${gone['id']}/revoke`, {})]);
    told.push(['get /keys/{id}', await admin(gateway(), '/keys/nonesuch')]);
    expect(told.filter(([, { status }]) => status < 400)).toEqual([]);
    expect([...new Set(told.map(([, { status }]) => status))].sort()).toEqual([
      400, 401, 403, 404, 409, 413, 415,
    ]);
    const document = await served();
    const ajv = checker(document);
    const wrong = told.map(([operation, each]) => wrongWith(document, ajv, operation, each));
    expect(wrong.filter((each) => each !== undefined)).toEqual([]);
    expect(told.filter(([, { status, body }]) => body['status'] !== status)).toEqual([]);
  });
});
