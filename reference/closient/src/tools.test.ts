import { memoryLogger, post, rpcResponse, serveHere, tempFolder } from '@mayday/reference-shared/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClosient } from './service.ts';
import { openStore } from './store.ts';
import { mintToken } from './tokens.ts';

let url: string;
const data = tempFolder();
const token = mintToken(openStore(data), 'maker', ['qr:generate', 'gtin:claim']);

beforeAll(async () => {
  ({ url } = await serveHere(createClosient({ data, logger: memoryLogger() })));
});

const ask = async (method: string, params: object = {}) =>
  (await rpcResponse(await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))).result;

const GTIN = { type: 'string', maxLength: 64, description: 'A GTIN-8, -12, -13 or -14' };
const ATTRIBUTE = { type: 'string', pattern: '^[\\w.+/-]{1,20}$' };
const ANYTHING = { description: 'Anything; GTINs have 8, 12, 13 or 14 digits' };
const ITEM = { gtin: GTIN, serial: ATTRIBUTE, batch: ATTRIBUTE };

describe('what the server says of itself', () => {
  it.each([
    ['ping', {}, true],
    ['validate_gtin', { gtin: ANYTHING }, true],
    ['resolve_gtin', ITEM, true],
    ['lookup_product', { gtin: GTIN }, true],
    ['generate_qr_url', ITEM, true],
    ['claim_gtin', { gtin: GTIN }, false],
  ])('%s takes what its schema says, and only a claim writes', async (name, properties, readOnlyHint) => {
    const { tools } = await ask('tools/list');
    expect(tools).toHaveLength(6);
    expect(tools.find((tool: { name: string }) => tool.name === name)).toMatchObject({
      description: expect.stringMatching(/\w+ .+\./),
      inputSchema: { properties },
      annotations: { readOnlyHint, idempotentHint: true, openWorldHint: false },
    });
  });

  it('is called closient, in its version', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    expect(await ask('initialize', hello)).toMatchObject({
      serverInfo: { name: 'closient', version: '1.0.0' },
    });
  });

  it('a caller with a token has 300 calls a minute, one without has 100', async () => {
    const policy = async (headers: { [name: string]: string }) =>
      (await fetch(new URL('/v1/products/96385074', url), { headers })).headers.get('ratelimit-policy');
    expect(await policy({ authorization: `Bearer ${token}` })).toBe('300;w=60, 10000;w=86400');
    expect(await policy({})).toBe('100;w=60, 10000;w=86400');
  });
});

describe('an argument', () => {
  it.each([
    [{ gtin: '1'.repeat(64) }, ['gtin'], 'must be 8, 12, 13, or 14 digits'],
    [{ gtin: '1'.repeat(65) }, ['gtin'], /64/],
    [
      { gtin: '9506000134352', serial: 'a'.repeat(21) },
      ['serial'],
      'must be 1 to 20 letters, digits or . + / _ -',
    ],
    [{ gtin: '9506000134352', batch: '' }, ['batch'], 'must be 1 to 20 letters, digits or . + / _ -'],
  ])('CL-21 CL-30 %j is refused by its field', async (args, fields, message) => {
    const { error } = await ask('tools/call', { name: 'resolve_gtin', arguments: args });
    expect(error.code).toBe(-32101);
    expect(error.data.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
    expect(error.data.errors[0].message).toMatch(message);
  });

  it.each([
    ['claim_gtin', { gtin: '12' }],
    ['claim_gtin', { gtin: '00614141123453' }],
    ['resolve_gtin', { gtin: '12' }],
    ['resolve_gtin', { gtin: '9506000134352', batch: '' }],
  ])('CL-21 %s with %j is refused before anything is done', async (name, args) => {
    const request = { name, arguments: args };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: request });
    const { result } = await rpcResponse(await post(url, body, { authorization: `Bearer ${token}` }));
    expect(result.error.code).toBe(-32101);
    expect(JSON.stringify(result)).not.toMatch(/may have happened|"happened"/);
  });

  it('may have all the characters of a serial, and is in the link that is made of it', async () => {
    const given = { gtin: '9506000134352', serial: 'aZ0.+/_-', batch: 'B' };
    const request = { name: 'generate_qr_url', arguments: given };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: request });
    const { result } = await rpcResponse(await post(url, body, { authorization: `Bearer ${token}` }));
    const { url: link, qr_url: image } = result.structuredContent;
    expect(link).toBe('https://id.closient.com/01/09506000134352/10/B/21/aZ0.%2B%2F_-');
    // Six pixels a module and four modules around: version 4, for 62 characters, has 33.
    const png = Buffer.from(image.replace('data:image/png;base64,', ''), 'base64');
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16)]).toEqual(['PNG', 6 * (33 + 2 * 4)]);
    expect(result.content.map(({ type }: { type: string }) => type)).toEqual(['text', 'image']);
    expect(JSON.parse(result.content[0].text)).toEqual({ url: link });
    expect(result.content[1]).toEqual({
      type: 'image',
      mimeType: 'image/png',
      data: png.toString('base64'),
    });
  });
});
