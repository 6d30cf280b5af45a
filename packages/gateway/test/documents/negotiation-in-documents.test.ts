/** Errors of the negotiation in a system's document: the code and what the specification has stay, the words do not. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../tools.ts';

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

function pagesIn(data: unknown): readonly object[] {
  return (data as { readonly elicitations: readonly object[] }).elicitations;
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

describe.each(['mayday', 'mcp', 'closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'])(
  'a page to open, in %s',
  (dialect) => {
    const STATE = 'f3a9c1d2e4b5a6978877665544332211';
    const JWT =
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

    async function opened(url: unknown) {
      const elicitations = [{ ...PAGE, url, message: 'Sign in' }];
      const error = await told(dialect, { code: -32042, message: 'Sign in', data: { elicitations } });
      return { code: error?.code, page: pagesIn(error?.data)[0] };
    }

    it.each([
      `https://x.example/connect?state=${STATE}&client_id=abc&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM`,
      `https://x.example/connect?token=${STATE}`,
      `https://x.example/connect?t=${JWT}`,
    ])('can be opened: %s', async (url) => {
      expect(await opened(url)).toMatchObject({ code: -32042, page: { url, elicitationId: 'e1' } });
    });

    it.each([
      ['https://admin:hunter2secret@x.example/', 'hunter2secret'],
      [`https://x.example/?k=ghp_${'a1B2'.repeat(9)}`, 'a1B2a1B2'],
    ])('loses passwords and keys: %s', async (url, secret) => {
      const told = await opened(url);
      expect(told).toMatchObject({ code: -32042, page: { url: expect.stringContaining('x.example') } });
      expect(JSON.stringify(told)).not.toContain(secret);
    });
  },
);
