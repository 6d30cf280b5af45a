import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Endpoint } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import { serveStdio } from '../../acceptance/reference.ts';
import { callTool, type Wire } from '../../acceptance/wire.ts';
import { type Desk, KNOWN_GTIN, mint, openDesk, UNKNOWN_GTIN, untilLimited, whileLocked } from './provoke.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(['ada', 'bob', 'guest', 'hasty'], ['--per-minute', '50']);
}, SLOW);
afterAll(() => desk.close());

const codeOf = (answer: Wire): Wire => answer.result?.error?.code;

/** No GTIN: too short, no digits, a wrong check digit, a length that GTINs do not have, nothing at all. */
const INVALID = ['123', 'abc', '00614141123453', '614141123452000', '', '１２３４５６７０'];

describe('ping and validate_gtin', () => {
  it('CL-28: ping answers with a bad token, with arguments it does not know, and when the limit is used up', async () => {
    await untilLimited(desk.hasty);
    const bad = new Endpoint(desk.server.mcp, { authorization: 'Bearer nonsense' });
    for (const answer of [
      await callTool(desk.nobody, 'ping'),
      await callTool(bad, 'ping'),
      await callTool(desk.hasty, 'ping'),
      await callTool(desk.ada, 'ping', { anything: [1, 2, 3] }),
      await whileLocked(desk, () => callTool(desk.ada, 'ping')),
    ]) {
      expect(answer).toMatchObject({ result: { content: [{ type: 'text' }] } });
      expect(answer.result).not.toHaveProperty('error');
      expect(answer.result.isError ?? false).toBe(false);
    }
  });

  it.each([...INVALID, 7, null, [], {}])('CL-29: validate_gtin says valid: false to %j', async (gtin) => {
    const answer = await callTool(desk.bob, 'validate_gtin', { gtin });
    expect(answer.result).not.toHaveProperty('error');
    expect(answer.result?.isError ?? false).toBe(false);
    expect(answer.result?.structuredContent?.valid).toBe(false);
    expect(JSON.parse(answer.result?.content?.[0]?.text).valid).toBe(false);
  });

  it('CL-29: validate_gtin has no failure modes: not without arguments, a token, a quota or a database', async () => {
    const bad = new Endpoint(desk.server.mcp, { authorization: 'Bearer nonsense' });
    for (const answer of [
      await callTool(desk.bob, 'validate_gtin', {}),
      await callTool(bad, 'validate_gtin', { gtin: '123' }),
      await callTool(desk.hasty, 'validate_gtin', { gtin: '123' }),
      await whileLocked(desk, () => callTool(desk.bob, 'validate_gtin', { gtin: '123' })),
    ]) {
      expect(answer.result?.structuredContent?.valid).toBe(false);
    }
  });

  it.each(['96385074', '614141123452', '0614141123452', '00614141123452'])(
    'CL-29: validate_gtin knows the GTIN %s',
    async (gtin) => {
      const answer = await callTool(desk.bob, 'validate_gtin', { gtin });
      expect(answer.result?.structuredContent?.valid).toBe(true);
    },
  );

  it('CL-15: a success has no error key, neither in the result nor in its payload', async () => {
    for (const [tool, gtin] of [
      ['ping', undefined],
      ['validate_gtin', '123'],
      ['validate_gtin', UNKNOWN_GTIN],
      ['resolve_gtin', KNOWN_GTIN],
      ['lookup_product', UNKNOWN_GTIN],
      ['generate_qr_url', KNOWN_GTIN],
    ] as const) {
      const { result } = await callTool(desk.ada, tool, gtin === undefined ? {} : { gtin });
      expect([tool, 'error' in result, 'error' in result.structuredContent]).toEqual([tool, false, false]);
    }
  });
});

describe('resolve_gtin, lookup_product, generate_qr_url', () => {
  it.each(INVALID)('CL-30 CL-31 CL-32: the GTIN %j is -32101 for all three', async (gtin) => {
    for (const tool of ['resolve_gtin', 'lookup_product', 'generate_qr_url']) {
      expect([tool, codeOf(await callTool(desk.ada, tool, { gtin }))]).toEqual([tool, -32101]);
    }
  });

  it('CL-30: no rule is -32200, and a rule is a target', async () => {
    expect(codeOf(await callTool(desk.nobody, 'resolve_gtin', { gtin: UNKNOWN_GTIN }))).toBe(-32200);
    const known = await callTool(desk.nobody, 'resolve_gtin', { gtin: KNOWN_GTIN });
    expect(known.result?.structuredContent?.target).toMatch(/^https:/);
  });

  it('CL-31: an unknown GTIN is found: false, no error', async () => {
    const { result } = await callTool(desk.nobody, 'lookup_product', { gtin: UNKNOWN_GTIN });
    expect(result.structuredContent).toEqual({ gtin: UNKNOWN_GTIN, found: false });
    expect(result.isError ?? false).toBe(false);
  });

  it('CL-32 CL-17: without a token it is -32001, before the arguments are looked at', async () => {
    expect(codeOf(await callTool(desk.nobody, 'generate_qr_url', { gtin: '123' }))).toBe(-32001);
  });

  it('CL-32 CL-18: without qr:generate it is -32002, before the arguments are looked at', async () => {
    expect(codeOf(await callTool(desk.guest, 'generate_qr_url', { gtin: '123' }))).toBe(-32002);
    const other = await mint(desk.folder, 'eve', 'gtin:claim');
    const endpoint = new Endpoint(desk.server.mcp, { authorization: `Bearer ${other}` });
    const answer = await callTool(endpoint, 'generate_qr_url', { gtin: UNKNOWN_GTIN });
    expect([codeOf(answer), answer.result.error.data.detail]).toEqual([
      -32002,
      expect.stringContaining('qr:generate'),
    ]);
  });

  it('CL-32: with the scope there is a URL', async () => {
    const { result } = await callTool(desk.ada, 'generate_qr_url', { gtin: UNKNOWN_GTIN });
    expect(JSON.stringify(result.structuredContent)).toContain(`https://id.closient.com/01/${UNKNOWN_GTIN}`);
  });
});

describe('who calls', () => {
  it.each(['Bearer nonsense', 'Bearer ', 'Basic YTpi', 'nonsense'])(
    'CL-17: %j is no token: -32001',
    async (header) => {
      const endpoint = new Endpoint(desk.server.mcp, { authorization: header });
      for (const tool of ['resolve_gtin', 'lookup_product', 'generate_qr_url', 'claim_gtin']) {
        expect([tool, codeOf(await callTool(endpoint, tool, { gtin: KNOWN_GTIN }))]).toEqual([tool, -32001]);
      }
    },
  );

  it('CL-17 CL-24: calls on stdio that share one id are all their sender’s', async () => {
    const token = await mint(desk.folder, 'zoe', 'gtin:claim');
    const pipe = serveStdio('closient', desk.folder, [], { env: { CLOSIENT_TOKEN: token } });
    await pipe.initialize();
    const bodies = Array.from({ length: 20 }, (_, n) => `0950600013${String(n).padStart(3, '0')}`);
    const gtins = bodies.map((body) => body + checkDigit(body));
    for (const gtin of gtins) {
      pipe.send({
        jsonrpc: '2.0',
        id: 5,
        method: 'tools/call',
        params: { name: 'claim_gtin', arguments: { gtin } },
      });
    }
    await pipe.request('ping');
    const refused: Wire[] = [];
    for (const gtin of gtins) {
      const again = await callTool(pipe, 'claim_gtin', { gtin });
      refused.push(codeOf(again));
    }
    await pipe.close();
    expect(refused).toEqual(gtins.map(() => undefined));
  });
});

function checkDigit(body: string): number {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}
