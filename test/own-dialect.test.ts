/** The dialect of docs/dialects.md, spoken by a guarded server, a running gateway and the command line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Dialect, fault, type Language, language } from '@mayday/core';
import { resolveSettings, startGateway } from '@mayday/gateway';
import { guard } from '@mayday/server';
import { faultPage, problemWriter } from '@mayday/server/http';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = `${root}.tsc/own-dialect`;
const file = `${folder}/acme.ts`;

let acme: Dialect;
let larger: Language;

beforeAll(async () => {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(`${root}docs/dialects.md`, 'utf8')) ?? [];
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  ({ acme } = (await import(file)) as { acme: Dialect });
  larger = language.with(acme);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const BUSY = { ok: false, trouble: 'E7', why: 'Come back at noon' };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'order', arguments: {} } };

interface Message {
  readonly id?: unknown;
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: number; readonly data?: { readonly [key: string]: unknown } };
}

/** A server that always answers the same. */
async function upstream(answer: object): Promise<string> {
  const server = createServer(async (request, response) => {
    const asked = JSON.parse((await text(request)) || '{}') as { readonly id?: unknown };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function gatewayTo(answer: object, spoken: Language): Promise<string> {
  const shop = { url: await upstream(answer), retry: { attempts: 1 } };
  const { settings } = resolveSettings({ listen: { port: 0 }, upstreams: { shop } }, { language: spoken });
  const gateway = await startGateway(settings, { language: spoken });
  closers.push(() => gateway.close(200));
  return `${gateway.url}/shop/mcp`;
}

async function post(url: string, body: object | string, headers: object = {}): Promise<Message> {
  const accept = 'application/json, text/event-stream';
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return (await response.json()) as Message;
}

const ASKING = { 'mayday-dialect': 'acme' };
const faultIn = ({ result }: Message): unknown =>
  (result?.['_meta'] as { readonly [key: string]: unknown } | undefined)?.['dev.mayday/fault'];

describe('a gateway', () => {
  const failing = { result: { content: [], structuredContent: BUSY } };

  it('understands it, where another takes it for a success', async () => {
    const understood = await post(await gatewayTo(failing, larger), CALL);
    expect(faultIn(understood)).toMatchObject({ kind: 'overloaded', reaction: 'retryable' });
    expect(understood.result).toMatchObject({ isError: true, structuredContent: BUSY });
    const passed = await post(await gatewayTo(failing, language), CALL);
    expect(passed.result).toEqual(failing.result);
  });

  it('answers in it', async () => {
    const url = await gatewayTo({ error: { code: -32603, message: 'Out of paper' } }, larger);
    const { result } = await post(url, CALL, ASKING);
    expect(result?.['structuredContent']).toEqual({ ok: false, trouble: 'E9', why: 'Out of paper' });
  });

  it('says in its own words what is no answer to a call', async () => {
    const { error, ...rest } = await post(await gatewayTo(failing, larger), '{', ASKING);
    expect(rest).not.toHaveProperty('result');
    expect(error).toMatchObject({ code: -32700, data: { kind: 'parse_error' } });
  });

  it('answers in its own words when the dialect throws', async () => {
    const broken: Dialect = {
      ...acme,
      write() {
        throw new Error('a bug of Acme’s');
      },
    };
    const url = await gatewayTo({ error: { code: -32603, message: 'Out of paper' } }, language.with(broken));
    expect((await post(url, CALL, ASKING)).error?.data).toMatchObject({ message: 'Out of paper' });
    expect((await post(`${url}/nowhere`, CALL, ASKING)).error?.data).toMatchObject({ kind: 'not_found' });
    expect((await post(url, CALL, ASKING)).id).toBe(1);
  });

  it('does not know it without being told', async () => {
    const shop = { url: 'http://127.0.0.1:9/mcp', from: 'acme' };
    expect(() => resolveSettings({ upstreams: { shop } })).toThrow(/upstreams\.shop\.from: Expected one of/);
    const { settings } = resolveSettings({ listen: { port: 0 }, upstreams: { shop } }, { language: larger });
    await expect(startGateway(settings)).rejects.toThrow(/Expected a dialect of this language .*got "acme"/);
    const { error } = await post(await gatewayTo(failing, language), CALL, ASKING);
    expect(error?.data?.['message']).toMatch(/^There is no dialect called "acme"; known are closient, /);
  });
});

describe('a guarded server', () => {
  /** What a client gets for a tool that throws. */
  async function thrown(options: Parameters<typeof guard>[1], meta: object = {}): Promise<Message> {
    const server = guard(new McpServer({ name: 'orders', version: '1' }), options);
    server.registerTool('order', {}, () => {
      throw fault.overloaded('Come back at noon');
    });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(theirs);
    closers.push(() => server.close());
    const answered = new Promise<Message>((resolve) => {
      ours.onmessage = (message) => resolve(message as Message);
    });
    await ours.start();
    await ours.send({ ...CALL, jsonrpc: '2.0', params: { ...CALL.params, _meta: { ...meta } } });
    return answered;
  }

  it('speaks it', async () => {
    const { result } = await thrown({ language: larger, dialect: 'acme' });
    expect(result?.['structuredContent']).toEqual(BUSY);
  });

  it('speaks it to those who ask for it', async () => {
    const meta = { 'dev.mayday/dialect': 'acme' };
    expect((await thrown({ language: larger }, meta)).result?.['structuredContent']).toEqual(BUSY);
    expect(faultIn(await thrown({ language: larger }))).toMatchObject({ kind: 'overloaded' });
    expect(faultIn(await thrown({}, meta))).toMatchObject({ kind: 'overloaded' });
  });

  it('answers in ours when it throws', async () => {
    const warned: string[] = [];
    const onWarning = ({ message }: Error): unknown => warned.push(message);
    process.on('warning', onWarning);
    closers.push(() => process.off('warning', onWarning));
    const broken: Dialect = {
      ...acme,
      write() {
        throw new Error('a bug of Acme’s');
      },
    };
    const said = await thrown({ language: language.with(broken), dialect: 'acme' });
    expect(faultIn(said)).toMatchObject({ kind: 'overloaded', message: 'Come back at noon' });
    await new Promise(setImmediate);
    const sentences = warned.map((text) => text.split('\n')[0]);
    expect(sentences).toEqual(['the dialect acme could not say a fault: Error: a bug of Acme’s']);
  });

  it.each([
    [{ dialect: 'acme' }, /Expected `dialect` to be one of closient, .*got "acme"/],
    [{ language: {} }, /Expected `language` to be a language: /],
    [{ language: [] }, /Expected `language` to be a language: /],
  ])('says what is wrong with %j', (options, sentence) => {
    const server = new McpServer({ name: 'orders', version: '1' });
    expect(() => guard(server, options as never)).toThrow(sentence);
  });
});

describe('its REST twin', () => {
  const asked = 'application/json';

  it('has a page for each of its codes', () => {
    const { status, body } = faultPage('/errors/busy', asked, { dialect: 'acme', language: larger });
    expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ title: 'Busy' })]);
    expect(() => faultPage('/errors/busy', asked, { dialect: 'acme' })).toThrow(/got "acme"/);
  });

  it('speaks its problem documents', () => {
    const twin: Dialect = { ...acme, problem: ({ message }) => ({ status: 503, trouble: message }) };
    const options = { dialect: 'acme', language: language.with(twin) };
    expect(problemWriter(options)(fault.overloaded('Come back at noon'))).toMatchObject({
      status: 503,
      body: { trouble: 'Come back at noon' },
    });
  });
});

describe('the command line', () => {
  it('runs a gateway with it', async () => {
    const url = await upstream({ error: { code: -32603, message: 'Out of paper' } });
    const main = `${root}packages/cli/src/main.ts`;
    const words = ['gateway', '--with', file, '--dialect', 'acme', '--port', '0', '--quiet', url];
    const child: ChildProcess = spawn(process.execPath, ['--conditions=@mayday/source', main, ...words]);
    closers.push(() => child.kill('SIGKILL'));
    const [where = ''] = await new Promise<string[]>((resolve, reject) => {
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => reject(new Error(chunk.toString())));
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /http:\S+\/mcp/.exec(said);
        if (found !== null) resolve(found);
      });
    });
    const { result } = await post(where, CALL);
    expect(result?.['structuredContent']).toEqual({ ok: false, trouble: 'E9', why: 'Out of paper' });
  });
});
