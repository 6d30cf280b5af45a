/** Handshakes that can lead to nothing, at every kind of endpoint. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, post, STDIO_SERVER, upstream } from '../tools.ts';

let url: string;

/** A server that fails on every handshake as SDK v1 does, and on every cursor as v2 does. */
beforeAll(async () => {
  const server = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const error =
      method === 'initialize'
        ? { code: -32603, message: '[{"expected":"string","path":["params","protocolVersion"]}]' }
        : { code: -32602, message: 'Invalid params: cursor' };
    json(response, 200, { jsonrpc: '2.0', id, error });
  });
  const upstreams = { plain: { url: server.url }, process: STDIO_SERVER };
  url = (await open({ upstreams })).url;
});
afterAll(cleanUp);

async function asked(path: string, dialect: string, message: object) {
  return (await post(`${url}/${path}`, message, { 'mayday-dialect': dialect })).message;
}

const OTHER = call('initialize', {
  protocolVersion: 7,
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
});
const NO_TEXT = 'params.protocolVersion: Invalid input: expected string, received number';

// biome-ignore format: a table
it.each([
  ['PL-18', 'platica', { code: -32602, message: NO_TEXT }],
  ['QA-2', 'qaqnuz', { code: -32602, message: NO_TEXT }],
  ['ER-22', 'erlmcp', { code: -32602, message: 'Invalid params', data: { details: 'protocolVersion: Invalid input: expected string, received number' } }],
  ['CL-20', 'closient', { code: -32100, message: 'Bad Request', data: { detail: NO_TEXT } }],
  ['EM-24', 'onx', { code: -32602, message: 'Invalid params', data: { field: 'protocolVersion' } }],
])('%s a revision that is no text is the caller’s mistake in %s', async (_id, dialect, error) => {
  expect((await asked('plain/mcp', dialect, OTHER)).error).toMatchObject(error);
});

// biome-ignore format: a table
it.each([
  ['ER-58', 'erlmcp', { code: -32063, message: 'Capability negotiation failed', data: { reason: 'sampling: Invalid input: expected record, received number' } }],
  ['PL-18', 'platica', { code: -32602, message: 'params.capabilities.sampling: Invalid input: expected record, received number' }],
])('%s a capability that is no object is the caller’s mistake in %s', async (_id, dialect, error) => {
  const clientInfo = { name: 'c', version: '1' };
  const opening = { protocolVersion: '2025-11-25', capabilities: { sampling: 7 }, clientInfo };
  expect((await asked('plain/mcp', dialect, call('initialize', opening))).error).toMatchObject(error);
});

it('a handshake of the right form that fails keeps its code', async () => {
  expect((await asked('plain/mcp', 'platica', INITIALIZE)).error).toEqual({
    code: -32603,
    message: 'Internal error',
  });
  expect((await asked('plain/mcp', 'mayday', OTHER)).error?.code).toBe(-32603);
});

it.each([
  ['closient', -32100],
  ['erlmcp', -32602],
  ['platica', -32602],
])('a cursor that is no text is a bad request in %s', async (dialect, code) => {
  expect((await asked('plain/mcp', dialect, call('tools/list', { cursor: 3 }))).error?.code).toBe(code);
});

describe.each(['plain/mcp', 'process/mcp', 'mcp'])('ER-56 a revision that nobody serves, at %s', (path) => {
  const opening = (protocolVersion: string): object =>
    call('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } });

  it.each(['2020-01-01', 'latest'])('%s is refused in erlmcp', async (version) => {
    expect((await asked(path, 'erlmcp', opening(version))).error).toEqual({
      code: -32061,
      message: 'Unsupported protocol version',
      data: {
        requested_version: version,
        supported_versions: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'],
      },
    });
  });

  it('a later one than we know is not', async () => {
    expect((await asked(path, 'erlmcp', opening('2099-01-01'))).error?.code).not.toBe(-32061);
  });

  it.each(['mayday', 'platica'])('nor is it in %s', async (dialect) => {
    const { error } = await asked(path, dialect, opening('2020-01-01'));
    expect(JSON.stringify(error ?? {})).not.toContain('nsupported');
  });
});
