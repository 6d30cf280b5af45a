/** What a wrapped client throws is a fault, and still the SDK's own error. */
import { FaultError, faultOf } from '@mayday/core';
import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { FLAVOURS } from './flavours.ts';
import { answer, type Script, scriptedHttp } from './scripted-http.ts';

const [v2, v1] = FLAVOURS as [(typeof FLAVOURS)[0], (typeof FLAVOURS)[0]];

async function thrownBy(flavour: typeof v2, script: Script, options: object = {}): Promise<unknown> {
  await using server = await scriptedHttp(script);
  const client = flavour.http(server.url, options);
  await client.connect();
  try {
    await client.getPrompt({ name: 'p' });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

const refused: Script = (heard, response) =>
  answer(response, {
    jsonrpc: '2.0',
    id: heard.id,
    error: { code: -32602, message: 'Unknown prompt: p', data: { name: 'p' } },
  });

describe.each([
  [v2, ProtocolError, 'ProtocolError'],
  [v1, McpError, 'McpError'],
] as const)('%j', (flavour, SdkClass, name) => {
  it('is of the SDK’s class, with its code, its data and the original as cause', async () => {
    const error = await thrownBy(flavour, refused);
    expect(error).toBeInstanceOf(SdkClass);
    expect(error).toBeInstanceOf(FaultError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name, code: -32602, data: { name: 'p' } });
    expect((error as Error).cause).toBeInstanceOf(SdkClass);
    expect((error as FaultError).fault).toBe(faultOf(error));
    expect((error as FaultError).fault.kind).toMatch(/not_found|invalid_arguments/);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ kind: (error as FaultError).fault.kind });
  });

  it('has the fault’s words for a message', async () => {
    const error = (await thrownBy(flavour, refused)) as FaultError;
    expect(error.message).toBe(error.fault.message);
    expect(error.stack).toContain('at ');
  });
});

describe.each([
  [v2, SdkHttpError, { code: 'CLIENT_HTTP_NOT_IMPLEMENTED', status: 503 }],
  [v1, StreamableHTTPError, { code: 503 }],
] as const)('an HTTP error, %j', (flavour, SdkClass, members) => {
  const down: Script = (_, response) =>
    void response.writeHead(503, { 'retry-after': '7' }).end('<b>down</b>');

  it('is of the SDK’s class with its code, and holds nothing of ours but the fault', async () => {
    await using server = await scriptedHttp(down);
    const client = flavour.http(server.url, { attempts: 1 });
    await client.connect();
    for (const call of [
      () => client.callTool({ name: 'pay', arguments: {} }),
      () => client.getPrompt({ name: 'p' }),
    ]) {
      const error = await call().then(
        () => undefined,
        (thrown: unknown) => thrown as FaultError & { data?: { text?: string } },
      );
      expect(error).toBeInstanceOf(SdkClass);
      expect(error).toMatchObject(members);
      expect(error?.fault).toMatchObject({
        kind: 'unavailable',
        executed: 'maybe',
        retry: { afterMs: 7000 },
      });
      expect(error?.cause).toBeInstanceOf(SdkClass);
      expect(JSON.stringify({ ...error, cause: error?.cause })).not.toContain('dev.mayday/');
      expect(error?.data?.text ?? '<b>down</b>').toBe('<b>down</b>');
    }
    await client.close();
  });

  it('of a refusal that may be mended by signing in keeps the server’s own words', async () => {
    const error = await thrownBy(flavour, (_, response) => void response.writeHead(403).end('Forbidden'), {
      attempts: 1,
    });
    expect(error).toBeInstanceOf(SdkClass);
    expect(error).toMatchObject({ fault: { kind: 'forbidden', executed: 'no' } });
    expect((error as { data?: { text?: string } }).data?.text ?? 'Forbidden').toBe('Forbidden');
  });
});

it('an answer that cannot be used is an error without marks of ours', async () => {
  const error = await thrownBy(v2, (_, response) => answer(response, 'hm'), { attempts: 1 });
  expect(error).toMatchObject({ fault: { kind: 'invalid_output' } });
  expect(JSON.stringify((error as { data?: unknown }).data ?? {})).not.toContain('dev.mayday/');
});

it.each([v2, v1])('an HTTP 400 with a JSON-RPC error is read from its body: $name', async (flavour) => {
  const error = { code: -32600, message: 'Invalid Request' };
  const thrown = await thrownBy(flavour, (_, response) =>
    answer(response, { jsonrpc: '2.0', id: null, error }, 400),
  );
  expect(thrown).toBeInstanceOf(FaultError);
  expect(faultOf(thrown)).toMatchObject({
    kind: 'invalid_request',
    message: 'Invalid Request',
    executed: 'no',
  });
});

it.each([
  [v2, 'REQUEST_TIMEOUT'],
  [v1, -32001],
] as const)('a timeout of ours has the code that the SDK gives to its own', async (flavour, code) => {
  const error = await thrownBy(flavour, () => undefined, { attemptTimeoutMs: 50, attempts: 1 });
  expect(error).toBeInstanceOf(FaultError);
  expect(error).toMatchObject({ code, fault: { kind: 'timeout', origin: 'local' } });
});

async function closedServer(): Promise<{ readonly url: string }> {
  await using server = await scriptedHttp(() => undefined);
  return { url: server.url };
}

it('a connection that cannot be made is fetch’s error, and a fault', async () => {
  const { url } = await closedServer();
  const client = v2.http(url, { attempts: 1 });
  const error = await client.connect().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FaultError);
  expect(error).toMatchObject({ fault: { kind: 'unavailable', executed: 'no' } });
  expect((error as Error).cause).toBeInstanceOf(TypeError);
});
