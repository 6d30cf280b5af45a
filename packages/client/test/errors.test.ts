/** What a wrapped client throws is a fault, and still the SDK's own error. */
import { FaultError, faultOf } from '@mayday/core';
import { ProtocolError } from '@modelcontextprotocol/client';
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
