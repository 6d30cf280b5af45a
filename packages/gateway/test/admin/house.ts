/** A gateway with a store, and an operator who asks it: whatever it answers is held against what it says of itself. */
import { openStore, type Store } from '@mayday/store';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { type Gateway, type SettingsFile, startGateway } from '../../src/index.ts';
import { json, settingsOf, upstream } from '../tools.ts';

/** What came back. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever is there
  readonly body: any;
}

/** How it is asked. */
export interface How {
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

/** The gateway, its store, and the operator. */
export interface House {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly logs: readonly string[];
  readonly root: string;
  ask(method: string, path: string, how?: How): Promise<Answered>;
  close(): Promise<void>;
}

export const OPS = 'key-of-ops';
export const ANN = 'key-of-ann';

/** What the store seals with. */
const SECRET = 'secret-of-the-store';

const KEYS = [
  { name: 'ops', key: OPS, role: 'operator' },
  { name: 'ann', key: ANN },
] as const;

/** A server whose tool `pay` pays, and whose other tools fail. */
async function bank(): Promise<string> {
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body || '{}');
    const isPaid = method !== 'tools/call' || params.name === 'pay';
    const text = isPaid ? 'paid' : `No account ${params.arguments.of ?? ''}`;
    json(response, 200, {
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text }], isError: !isPaid },
    });
  });
  return url;
}

/** Opens one; without a store where `file.store` is `null`. */
export async function openHouse(
  file: Omit<Partial<SettingsFile>, 'store'> & { readonly store?: null } = {},
): Promise<House> {
  const { store: none, ...settings } = file;
  const store = await openStore({ url: 'memory:', secret: SECRET });
  const logs: string[] = [];
  const url = await bank();
  const gateway = await startGateway(
    settingsOf({
      keys: KEYS,
      ...(none === null
        ? {}
        : { store: { url: 'memory:', secret: SECRET }, access: { rules: [{ approve: ['bank/pay'] }] } }),
      upstreams: { bank: { url, retry: { attempts: 1 } } },
      ...settings,
    }),
    { onLog: (line) => logs.push(line), ...(none === null ? {} : { store }) },
  );
  const root = `${gateway.adminUrl ?? gateway.url}/-/admin/v1`;
  return {
    gateway,
    store,
    logs,
    root,
    ask: (method, path, how) => ask(root, method, path, how),
    async close() {
      await gateway.close(500);
      await store.close();
    },
  };
}

async function ask(
  root: string,
  method: string,
  path: string,
  { key = OPS, body, headers = {} }: How = {},
): Promise<Answered> {
  const response = await fetch(`${root}${path}`, {
    method,
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const said = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
  await heldAgainstDocument(root, method, path, said);
  return said;
}

let known: Promise<Documented> | undefined;

interface Documented {
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: { readonly responses: Responses } };
  };
  readonly components: object;
}

type Responses = {
  readonly [status: string]: { readonly content: { readonly [type: string]: { readonly schema: object } } };
};

const ajv = new Ajv2020({ strict: false });
(((formats as unknown as { default?: unknown }).default ?? formats) as (target: unknown) => void)(ajv);
const compiled = new Map<string, ValidateFunction>();

/** Is it one of the answers that the document has for this request? */
async function heldAgainstDocument(
  root: string,
  method: string,
  path: string,
  { status, headers, body }: Answered,
): Promise<void> {
  known ??= fetch(`${root}/openapi.json`, { headers: { authorization: `Bearer ${OPS}` } }).then(
    (response) => response.json() as Promise<Documented>,
  );
  const { paths, components } = await known;
  const [bare = ''] = path.split('?');
  const template = Object.keys(paths).find((one) =>
    new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
  );
  const operation = paths[template ?? '']?.[method.toLowerCase()];
  if (operation === undefined || body === undefined) return;
  const type = headers.get('content-type') ?? '';
  const schema = operation.responses[status]?.content[type]?.schema;
  expect(schema, `${method} ${path} answers ${status} ${type}`).toBeDefined();
  const name = `${method} ${template} ${status}`;
  const fits = compiled.get(name) ?? ajv.compile({ allOf: [schema], components });
  compiled.set(name, fits);
  expect([name, fits(body), fits.errors]).toEqual([name, true, null]);
}
