import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, type HttpAnswer, MCP_HEADERS } from '../../acceptance/http.ts';
import { CLOCK_SHIFT, SLOW } from '../../acceptance/program.ts';
import { serveHttp, serveStdio } from '../../acceptance/reference.ts';
import { callTool, type Wire } from '../../acceptance/wire.ts';
import { ALL_SCOPES, failure, openPlatform, type Platform } from './platform.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let platform: Platform;
let good: string;
let reader: string;
let revoked: string;
let dated: string;
beforeAll(async () => {
  platform = await openPlatform();
  good = (await platform.issue('acme', ALL_SCOPES)).key;
  reader = (await platform.issue('acme', 'contacts.read')).key;
  dated = (await platform.issue('acme', ALL_SCOPES, '2')).key;
  const dead = await platform.issue('acme', ALL_SCOPES);
  await platform.operator('revoke-key', dead.id);
  revoked = dead.key;
}, SLOW);
afterAll(() => platform.close());

/** One call, down to the bytes and the headers that are not the time. */
async function bytesOf(
  url: string,
  authorization: string | undefined,
  name: Wire,
  args: Wire,
): Promise<Wire> {
  const answer: HttpAnswer = await exchange(url, {
    headers: authorization === undefined ? MCP_HEADERS : { ...MCP_HEADERS, authorization },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } }),
  });
  const { date: _date, ...headers } = answer.headers;
  return { status: answer.status, headers, text: answer.text };
}

const HEADERS: [string, () => string | undefined][] = [
  ['no header', () => undefined],
  ['an unknown key', () => 'Bearer qx_live_00000000000000000000000000000000'],
  ['a revoked key', () => `Bearer ${revoked}`],
  ['a key of another form', () => 'Bearer nonsense'],
  ['an empty header', () => ''],
  ['Bearer alone', () => 'Bearer'],
  ['another scheme', () => `Basic ${good}`],
  ['a bare key', () => good],
  ['two keys', () => `Bearer ${good}, Bearer ${good}`],
  ['a key and more', () => `Bearer ${good} x`],
  ['a key cut short', () => `Bearer ${good.slice(0, -1)}`],
  ['a key in other letters', () => `Bearer ${good.toUpperCase()}`],
];

describe('authentication', () => {
  it.each(HEADERS)('QA-14: %s is Unauthorized, to the byte', async (_name, header) => {
    const unknown = await bytesOf(platform.server.mcp, 'Bearer qx_live_x', 'find_contacts', { name: 'a' });
    expect(JSON.parse(unknown.text.replace(/^[^{]*/, '')).result).toEqual(failure('Unauthorized'));
    expect(await bytesOf(platform.server.mcp, header(), 'find_contacts', { name: 'a' })).toEqual(unknown);
  });

  it('QA-14: it is the same for every tool, for none, and for any arguments', async () => {
    const seen = new Set<string>();
    for (const name of ['find_contacts', 'issue_refund', 'nope', '', '__proto__']) {
      for (const args of [{}, { name: 'a' }, { order: 'o1', amount_cents: 1 }]) {
        seen.add(JSON.stringify(await bytesOf(platform.server.mcp, `Bearer ${revoked}`, name, args)));
      }
    }
    expect(seen.size).toBe(1);
  });

  it(
    'QA-14: an expired key is like an unknown one',
    async () => {
      const later = await serveHttp('qaqnuz', platform.folder, [], {
        preload: CLOCK_SHIFT,
        env: { ACCEPTANCE_SHIFT_MS: String(3 * DAY_MS) },
      });
      const url = later.mcp;
      const expired = await bytesOf(url, `Bearer ${dated}`, 'find_contacts', { name: 'a' });
      const unknown = await bytesOf(url, 'Bearer qx_live_x', 'find_contacts', { name: 'a' });
      const alive = await bytesOf(url, `Bearer ${good}`, 'find_contacts', { name: 'a' });
      await later.stop();
      expect(expired).toEqual(unknown);
      expect(alive).not.toEqual(unknown);
    },
    SLOW,
  );

  it(
    'QA-14: a wrong key on stdio is Unauthorized too',
    async () => {
      const pipe = serveStdio('qaqnuz', platform.folder, [], { env: { QAQNUZ_KEY: 'qx_live_wrong' } });
      await pipe.initialize();
      const { result } = await callTool(pipe, 'find_contacts', { name: 'a' });
      const listed = await pipe.request('tools/list');
      await pipe.close();
      expect(result).toEqual(failure('Unauthorized'));
      expect(listed.result.tools).toEqual([]);
    },
    SLOW,
  );

  it('QA-33: list_tools without a good key is empty, and says no reason', async () => {
    for (const header of [undefined, `Bearer ${revoked}`, 'Bearer x']) {
      const answer = await platform.caller(header).request('tools/list');
      expect(answer.result).toEqual({ tools: [] });
    }
  });
});

const NAMES = [
  'nope',
  'issue_refund',
  'check_stock',
  'delete_contact',
  'export_contacts',
  'purge_audit',
  'rotate_keys',
  'get_secrets',
  'find_contact',
  'FIND_CONTACTS',
  '',
  '__proto__',
  'constructor',
  'toString',
];
const ARGUMENTS: Wire[] = [
  {},
  { name: 'a' },
  { id: 'c1' },
  { order: 'o1', amount_cents: 500 },
  { sku: 'A1' },
  { x: [1] },
];

describe('reach', () => {
  it.each(NAMES)('QA-15 QA-10: %j is not there for a key without its scope, to the byte', async (name) => {
    const unknown = await bytesOf(platform.server.mcp, `Bearer ${reader}`, 'no_such_tool', {});
    for (const args of ARGUMENTS) {
      expect(await bytesOf(platform.server.mcp, `Bearer ${reader}`, name, args)).toEqual(unknown);
    }
  });

  it('QA-15: the words tell no reason and name no tool', async () => {
    const { result } = await callTool(platform.caller(`Bearer ${reader}`), 'issue_refund', {});
    expect(result).toEqual(
      failure(expect.not.stringMatching(/exist|unknown|disabled|sensitive|scope|found|refund/i)),
    );
  });

  it('QA-15 QA-33: only what the scopes allow is listed', async () => {
    const answer = await platform.caller(`Bearer ${reader}`).request('tools/list');
    expect(answer.result.tools.map((tool: Wire) => tool.name).sort()).toEqual([
      'find_contacts',
      'get_contact',
    ]);
  });
});
