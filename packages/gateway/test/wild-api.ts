/** One small API that answers for many, and a gateway before it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { call, callTool, cleanUp, later, open, type Posted, post } from './tools.ts';

interface Seen {
  readonly what: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** How a request is answered. */
export type Answer = (response: ServerResponse) => void;

/** What has come in. */
export const seen: Seen[] = [];
/** Where the API itself is. */
export let home: string;
/** Where another part of it is. */
export let elsewhere: string;
/** Before it. */
export let gateway: Awaited<ReturnType<typeof open>>;
/** By method and path, without its query. */
export const answers = new Map<string, Answer>();

async function listen(name: string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url = '', headers } = request;
      seen.push({ what: `${name} ${method} ${url}`, headers, body: Buffer.concat(chunks) });
      const answer = answers.get(`${method} ${url.split('?')[0]}`);
      if (answer === undefined) response.writeHead(200, JSON_TYPE).end('{"ok":true}');
      else answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Nobody listens there. */
export const NOWHERE = 'http://127.0.0.1:1';
/** What most answers are. */
export const JSON_TYPE = { 'content-type': 'application/json' };

const text = { type: 'string' };
const inQuery = (name: string, schema: object = text) => ({ name, in: 'query', schema });
const body = (type: string, schema: object, more = {}) => ({
  required: true,
  content: { [type]: { schema, ...more } },
});

const FILES = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'What to keep.' },
    pages: { type: 'array', items: { type: 'string', format: 'binary' } },
    purpose: text,
    tags: { type: 'array', items: text },
    about: { type: 'object' },
  },
};

const ORDER = {
  allOf: [
    { $ref: '#/components/schemas/Base' },
    { type: 'object', required: ['id', 'item'], properties: { item: text }, additionalProperties: false },
  ],
};

function document(): object {
  return {
    openapi: '3.0.3',
    info: { title: 'Wild', version: '1' },
    servers: [{ url: `${home}/v1` }],
    components: {
      schemas: {
        Base: {
          type: 'object',
          additionalProperties: false,
          required: ['id'],
          properties: { id: { type: 'string', readOnly: true }, note: { nullable: true, allOf: [text] } },
        },
      },
    },
    paths: {
      '/files': {
        servers: [{ url: elsewhere }],
        post: { operationId: 'upload', requestBody: body('multipart/form-data', FILES) },
      },
      '/raw': {
        put: {
          operationId: 'putRaw',
          parameters: [{ name: 'If-Match', in: 'header', schema: text }],
          requestBody: body('application/octet-stream', { type: 'string', format: 'binary' }),
        },
      },
      '/list': {
        get: {
          operationId: 'list',
          parameters: [
            inQuery('page', { type: 'integer' }),
            inQuery('api_key'),
            inQuery('filter', { type: 'object', additionalProperties: true }),
            { name: 'sid', in: 'cookie', schema: text },
            { name: 'theme', in: 'cookie', schema: text },
            { name: 'X-Tenant', in: 'header', required: true, schema: text },
          ],
        },
        head: { operationId: 'look' },
      },
      '/v1/{+name}': { get: { operationId: 'byName', parameters: [] } },
      '/orders': {
        post: { operationId: 'order', requestBody: body('application/json', ORDER) },
      },
    },
  };
}

async function serve(): Promise<void> {
  home = await listen('home');
  elsewhere = await listen('elsewhere');
  const folder = mkdtempSync(join(tmpdir(), 'mayday-wild-'));
  const openapi = join(folder, 'wild.json');
  writeFileSync(openapi, JSON.stringify(document()));
  const swagger = join(folder, 'old.yaml');
  writeFileSync(swagger, SWAGGER.replace('HOST', home.replace('http://', '')));
  const headers = {
    authorization: 'Bearer shop-token',
    cookie: 'sid=operators',
    'x-tenant': 'acme',
    'content-type': 'application/json; charset=utf-8',
  };
  const common = { openapi, headers, query: { api_key: 'key-of-the-query' }, retry: { attempts: 1 } };
  gateway = await open({
    limits: { message_bytes: 1_000_000 },
    upstreams: {
      wild: { ...common, idempotency_header: 'X-Once' },
      trusting: { ...common, origins: [elsewhere, NOWHERE], retry: { attempts: 3 } },
      old: { openapi: swagger },
    },
  });
}

/** Serves it for the tests of a file, each of which begins with nothing seen and nothing answered. */
export function withWildApi(): void {
  beforeAll(serve);
  afterAll(cleanUp);
  beforeEach(() => {
    seen.length = 0;
    answers.clear();
  });
}

/** Calls a tool. */
export const ask = (name: string, args: object = {}, at = 'wild'): Promise<Posted> =>
  post(`${gateway.url}/${at}/mcp`, callTool(name, args));

const SWAGGER = `
swagger: "2.0"
info: { title: Old, version: "1" }
host: HOST
basePath: /old
schemes: [http]
consumes: [application/json]
parameters:
  limit: { name: limit, in: query, type: integer, maximum: 10 }
  pet: { name: pet, in: body, required: true, schema: { $ref: "#/definitions/Pet" } }
definitions:
  Pet: { type: object, required: [name], properties: { name: { type: string }, tag: { type: string, x-nullable: true } } }
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, type: integer, required: true }]
    get:
      operationId: getPets
      parameters:
        - { $ref: "#/parameters/limit" }
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: pipes }
        - { name: names, in: query, type: array, items: { type: string } }
    put: { operationId: putPet, parameters: [{ $ref: "#/parameters/pet" }] }
    post:
      operationId: photo
      parameters:
        - { name: photo, in: formData, type: file, required: true }
        - { name: caption, in: formData, type: string }
`;

/** The tools that callers are listed. */
export async function toolsOf(
  at: string,
): Promise<readonly { name: string; inputSchema: Schema; _meta?: object }[]> {
  const { message } = await post(`${gateway.url}/${at}/mcp`, call('tools/list'));
  return message.result?.['tools'] as readonly { name: string; inputSchema: Schema }[];
}

interface Schema {
  readonly properties: { readonly [name: string]: { readonly [keyword: string]: unknown } };
  readonly required: readonly string[];
}
