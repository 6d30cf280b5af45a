/** Errors of the negotiation in a system's document: the code and what the specification has stay, the words do not. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../test/tools.ts';

afterEach(cleanUp);

const WORDS = 'psycopg2.OperationalError: FATAL: role "svc_reporting" has no table users_shadow, row 88123';
const PAGE = { mode: 'url', elicitationId: 'e1', url: 'https://x.example/a' };

async function told(dialect: string, error: object, method = 'tools/call') {
  const server = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, error }),
  );
  const gateway = await open({ upstreams: { a: { url: server.url } } });
  const headers = { 'mayday-dialect': dialect };
  const params =
    method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
      : { name: 't', arguments: {} };
  return (await post(`${gateway.url}/a/mcp`, call(method, params), headers)).message.error;
}

describe.each(['qaqnuz', 'platica'])('QA-3 QA-6 QA-7 in %s', (dialect) => {
  it.each([
    [-32042, 'URL elicitation required', { elicitations: [{ ...PAGE, message: 'Open the page to go on' }] }],
    [-32021, 'Missing required client capability', { requiredCapabilities: { sampling: {} } }],
    [-32022, 'Unsupported protocol version', { supported: ['2025-11-25'], requested: '2020-01-01' }],
    [-32020, 'Header mismatch', undefined],
  ])('%i has its name and its members alone', async (code, message, data) => {
    const elicitations = [{ ...PAGE, message: WORDS, row: 88123 }];
    const given = code === -32042 ? { elicitations } : data;
    const error = { code, message: WORDS, data: { ...given, table: 'users_shadow' } };
    expect(await told(dialect, error)).toEqual(
      data === undefined ? { code, message } : { code, message, data },
    );
  });

  it.each([
    [-32603, 'Internal error'],
    [-32602, 'Invalid params'],
    [-32600, 'Invalid request'],
  ])('a handshake that fails with %i says what that is', async (code, message) => {
    const error = { code, message: WORDS, data: { table: 'users_shadow' } };
    expect(await told(dialect, error, 'initialize')).toEqual({ code, message });
  });
});

it.each([
  ['erlmcp', 'Internal error'],
  ['onx', 'Internal error'],
  ['closient', 'Internal error'],
])('EM-2 ER-23 a handshake that fails has the name of its code in %s', async (dialect, message) => {
  const error = { code: -32603, message: 'No database', data: { step: 3 } };
  expect(await told(dialect, error, 'initialize')).toEqual({
    code: -32603,
    message,
    data: { 'dev.mayday/error': { message: 'No database', data: { step: 3 } } },
  });
});

it('and stays as it is where no document is spoken', async () => {
  const error = { code: -32603, message: 'No database', data: { step: 3 } };
  expect(await told('mayday', error, 'initialize')).toEqual(error);
});
