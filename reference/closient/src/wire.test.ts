import { inflateSync } from 'node:zlib';
import {
  CLIENTS,
  callTool,
  command,
  connect,
  expectLawful,
  expectRecognised,
  post,
  type Running,
  rpcResponse,
  start,
  tempFolder,
} from '@mayday/reference-shared/testing';
import decodeQR from 'qr/decode.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkDigit } from './gtin.ts';
import { openStore } from './store.ts';
import { mintToken, revokeToken } from './tokens.ts';

const NO_RULE = '00614141123452';
const KNOWN = '9506000134352';
const BAD = '9506000134353';
const RESTRICTED = `0201234567890${checkDigit('0201234567890')}`;

let server: Running;
const data = tempFolder();
const store = openStore(data);
const token = mintToken(store, 'maker', ['qr:generate', 'gtin:claim']);
const rival = mintToken(store, 'rival', ['gtin:claim']);
const bare = mintToken(store, 'visitor', []);
const revoked = mintToken(store, 'former', ['qr:generate']);
revokeToken(store, revoked);
const as = (given: string) => ({ authorization: `Bearer ${given}` });

beforeAll(async () => {
  // The token in the environment is for stdio: over HTTP it must not serve callers without one.
  server = await start('closient', ['--data', data], { CLOSIENT_TOKEN: token });
});

const errorOf = async (tool: string, args: unknown, headers = {}) =>
  (await callTool(server.url, tool, args, headers)).result.error;

describe('the tools', () => {
  it('CL-29 validate_gtin never errors, whatever it is given', async () => {
    for (const gtin of ['123', 'abc', BAD, 7, null, undefined, { a: 1 }]) {
      const { result } = await callTool(server.url, 'validate_gtin', { gtin });
      expect(result).not.toHaveProperty('error');
      expect(result.structuredContent).toMatchObject({ valid: false });
    }
    const { result } = await callTool(server.url, 'validate_gtin', { gtin: '96385074' });
    expect(result.structuredContent).toEqual({ valid: true, normalized: '00000096385074' });
  });

  it('CL-30 resolve_gtin: -32101 for an invalid GTIN, the document’s -32200 where no rule matches', async () => {
    expect(await errorOf('resolve_gtin', { gtin: BAD })).toMatchObject({
      code: -32101,
      data: { errors: [{ field: 'gtin', code: 'invalid_gtin' }] },
    });
    expect(await errorOf('resolve_gtin', { gtin: NO_RULE })).toEqual({
      code: -32200,
      message: 'Not Found',
      data: {
        type: 'https://closient.com/docs/errors/not_found',
        title: 'Not Found',
        status: 404,
        detail: 'No product found for GTIN 00614141123452',
        error_code: 'not_found',
        retryable: false,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      },
    });
  });

  it.each([
    ['serial before batch', { serial: 'SN-1', batch: 'LOT-7' }, 'serial', 'https://care.example/units/SN-1'],
    ['batch before item', { serial: 'SN-2', batch: 'LOT-7' }, 'batch', 'https://recall.example/lots/LOT-7'],
    ['item before prefix', { batch: 'LOT-8' }, 'item', 'https://shop.example/p/09506000134352'],
  ])('resolves by the most specific rule: %s', async (_order, attributes, level, target) => {
    const { result } = await callTool(server.url, 'resolve_gtin', { gtin: KNOWN, ...attributes });
    expect(result.structuredContent).toEqual({ gtin: '09506000134352', level, target });
  });

  it('resolves an item without a rule of its own by its prefix', async () => {
    const { result } = await callTool(server.url, 'resolve_gtin', { gtin: '9506000134369' });
    expect(result.structuredContent).toMatchObject({
      level: 'prefix',
      target: 'https://brand.example/items/09506000134369',
    });
  });

  it('CL-31 CL-15 lookup_product: -32101 for an invalid GTIN, found: false for an unknown one', async () => {
    expect(await errorOf('lookup_product', { gtin: BAD })).toMatchObject({ code: -32101 });
    const { result } = await callTool(server.url, 'lookup_product', { gtin: NO_RULE });
    expect(result).not.toHaveProperty('error');
    expect(result.structuredContent).toEqual({ gtin: NO_RULE, found: false });
  });

  it('CL-32 CL-17 CL-18 generate_qr_url asks for the token, then the scope, then a GTIN', async () => {
    const args = { gtin: BAD };
    const codes = [{}, as('csb_forged'), as(revoked), as(bare), as(token)].map(
      async (headers) => (await errorOf('generate_qr_url', args, headers)).code,
    );
    expect(await Promise.all(codes)).toEqual([-32001, -32001, -32001, -32002, -32101]);
  });

  it('generate_qr_url makes an image that scanners read', async () => {
    const { result } = await callTool(
      server.url,
      'generate_qr_url',
      { gtin: KNOWN, batch: 'A 1'.replace(' ', '-') },
      as(token),
    );
    expect(result.structuredContent.url).toBe('https://id.closient.com/01/09506000134352/10/A-1');
    expect(result.content[1]).toMatchObject({ type: 'image', mimeType: 'image/png' });
    expect(JSON.stringify(result).length).toBeLessThan(4096);
    expect(decodeQR(pixels(Buffer.from(result.content[1].data, 'base64')))).toBe(
      result.structuredContent.url,
    );
  });

  it('CL-22 CL-24 claim_gtin: -32102 for a number nobody can own, -32201 when somebody else was first', async () => {
    const refused = await callTool(server.url, 'claim_gtin', { gtin: RESTRICTED }, as(token));
    expect(refused.result.error).toMatchObject({ code: -32102 });
    expect(refused.result.content[0].text).not.toContain('It may have happened');
    const { result } = await callTool(server.url, 'claim_gtin', { gtin: KNOWN }, as(token));
    expect(result.structuredContent).toMatchObject({ gtin: '09506000134352' });
    expect(
      (await callTool(server.url, 'claim_gtin', { gtin: KNOWN }, as(token))).result.structuredContent,
    ).toEqual(result.structuredContent);
    expect(await errorOf('claim_gtin', { gtin: KNOWN }, as(rival))).toMatchObject({
      code: -32201,
      data: { detail: 'GTIN 09506000134352 is already claimed' },
    });
  });

  it('reports every wrong argument by its field', async () => {
    const error = await errorOf('resolve_gtin', { gtin: 1, serial: 'no spaces allowed', batch: false });
    expect(error.code).toBe(-32101);
    expect(error.data.errors.map(({ field }: { field: string }) => field)).toEqual([
      'gtin',
      'serial',
      'batch',
    ]);
  });
});

describe.each(CLIENTS)('the official client %s', (name) => {
  it.each(['http', 'stdio'])('CL-33 CL-39 reads successes and failures over %s', async (transport) => {
    const to =
      transport === 'http'
        ? { url: server.url, headers: as(token) }
        : { ...command('closient', ['--data', data]), env: { CLOSIENT_TOKEN: token } };
    const client = await connect(name, to);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('generate_qr_url');
    const payload = (await client.callTool({ name: 'ping' }))['structuredContent'];
    expect(payload).toEqual({ message: 'pong' });
    const missing = await client.callTool({ name: 'resolve_gtin', arguments: { gtin: NO_RULE } });
    expect(missing).toMatchObject({ isError: true, error: { code: -32200 } });
    expect(expectLawful({ result: missing } as never, 'closient')).toMatchObject({ kind: 'not_found' });
    const image = await client.callTool({ name: 'generate_qr_url', arguments: { gtin: KNOWN } });
    expect(image).not.toHaveProperty('error');
  });
});

describe('every failure', () => {
  it.each([
    ['unauthenticated', 'generate_qr_url', { gtin: KNOWN }, undefined],
    ['forbidden', 'generate_qr_url', { gtin: KNOWN }, bare],
    ['invalid_arguments', 'lookup_product', { gtin: BAD }, undefined],
    ['unprocessable', 'claim_gtin', { gtin: RESTRICTED }, token],
    ['not_found', 'resolve_gtin', { gtin: NO_RULE }, undefined],
  ] as const)('is recognised, said again and translated by the laws: %s', async (kind, tool, args, given) => {
    const response = await callTool(server.url, tool, args, given === undefined ? {} : as(given));
    expectRecognised(response, 'closient');
    expect(expectLawful(response, 'closient').kind).toBe(kind);
  });
});

describe('a refusal before the tool runs', () => {
  it.each(CLIENTS)('CL-17 is read by the official client %s', async (name) => {
    const client = await connect(name, { url: server.url });
    const refused = await client.callTool({ name: 'generate_qr_url', arguments: { gtin: KNOWN } });
    expect(refused).toMatchObject({ isError: true, error: { code: -32001, data: { retryable: false } } });
  });
});

describe('bad input', () => {
  it('gets the documented answer, and the server goes on serving', async () => {
    const answer = async (body: string) => rpcResponse(await post(server.url, body));
    expect((await answer('{"jsonrpc":')).error.code).toBe(-32100);
    expect((await answer('{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}')).error.code).toBe(-32601);
    expect((await answer('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}')).error.code).toBe(
      -32100,
    );
    const large = await answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(2_000_000) }));
    expect(large.error).toMatchObject({ code: -32100, data: { error_code: 'bad_request', status: 413 } });
    const many = Array.from({ length: 60 }, (_, i) =>
      callTool(server.url, 'lookup_product', { gtin: i }, as(bare)),
    );
    expect(new Set((await Promise.all(many)).map(({ result }) => result.error.code))).toEqual(
      new Set([-32101]),
    );
    expect((await callTool(server.url, 'ping', {})).result.structuredContent).toEqual({ message: 'pong' });
  });

  it('an unknown tool is not found', async () => {
    expect(await errorOf('resolve_gtins', {})).toMatchObject({
      code: -32200,
      data: { detail: 'Unknown tool: resolve_gtins' },
    });
  });

  it('nothing of a token or of the database is said', async () => {
    const secret = token.replace(/_[0-9a-f]{8}$/, '_00000000');
    const refused = await callTool(server.url, 'resolve_gtin', { gtin: KNOWN }, as(secret));
    expect(refused.result.error.code).toBe(-32001);
    expect(JSON.stringify(refused)).not.toContain(secret.slice(4, 20));
    expect(server.log()).not.toContain(secret.slice(4, 36));
  });
});

/** The pixels of a PNG of one bit a pixel, with one piece of data and no filters. */
function pixels(png: Buffer): { width: number; height: number; data: Uint8Array } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const stride = 1 + Math.ceil(width / 8);
  const data = Uint8Array.from({ length: width * height * 4 }, (_, i) => {
    const [x, y] = [Math.floor(i / 4) % width, Math.floor(i / 4 / width)];
    const isWhite = ((rows[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
    return i % 4 === 3 || isWhite === 1 ? 255 : 0;
  });
  return { width, height, data };
}
