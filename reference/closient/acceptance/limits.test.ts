import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Endpoint } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import {
  command,
  freshFolder,
  type HttpReference,
  serveHttp,
  serveStdio,
} from '../../acceptance/reference.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';
import { mint, UNKNOWN_GTIN } from './provoke.ts';

const folder = freshFolder();
const LIMIT = ['--per-minute', '3'];
let tokens: string[];
let server: HttpReference;

const resolve = async (channel: Channel): Promise<Wire> =>
  (await callTool(channel, 'resolve_gtin', { gtin: UNKNOWN_GTIN })).result?.error;
const as = (person: number): Endpoint =>
  new Endpoint(server.mcp, { authorization: `Bearer ${tokens[person]}` });
const ADA = 0;
const ANONYMOUS = 1;
const KIM = 2;

beforeAll(async () => {
  tokens = await Promise.all(
    ['ada', 'anonymous', 'kim'].map((owner) => mint(folder.path, owner, 'qr:generate')),
  );
  server = await serveHttp('closient', folder.path, LIMIT);
}, SLOW);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

describe('the rate limit', () => {
  it(
    'CL-19: is shared by processes on one folder, and survives a restart',
    async () => {
      const env = { CLOSIENT_TOKEN: tokens[ADA] ?? '' };
      const pipe = serveStdio('closient', folder.path, LIMIT, { env });
      await pipe.initialize();
      const codes = [
        (await resolve(as(ADA)))?.code,
        (await resolve(as(ADA)))?.code,
        (await resolve(pipe))?.code,
      ];
      codes.push((await resolve(pipe))?.code, (await resolve(as(ADA)))?.code);
      await Promise.all([server.stop(), pipe.close()]);
      server = await serveHttp('closient', folder.path, LIMIT);
      const limited = await resolve(as(ADA));
      expect([...codes, limited?.code]).toEqual([-32200, -32200, -32200, -32003, -32003, -32003]);
      expect(limited?.data).toMatchObject({ error_code: 'rate_limited', retryable: true, status: 429 });
    },
    SLOW,
  );

  it('CL-19: an owner who is called anonymous does not share the limit of those without a token', async () => {
    const codes: Wire[] = [];
    for (let calls = 0; calls < 4; calls += 1) {
      codes.push((await resolve(as(ANONYMOUS)))?.code);
    }
    codes.push((await resolve(new Endpoint(server.mcp)))?.code);
    expect(codes).toEqual([-32200, -32200, -32200, -32003, -32200]);
  });

  it.each(['abc', '0', '1.5'])('CL-19: --per-minute %j is refused in one line', async (value) => {
    const said = await command('closient', ['--data', folder.path, `--per-minute=${value}`, '--mint', 'x']);
    expect(said.status).toBe(2);
    expect(said.errors.trim().split('\n')[0]).toContain('per-minute');
    expect(said.errors).not.toMatch(/\bat .*\.ts:\d+/);
  });

  it('CL-17: a token that was revoked is -32001 from then on', async () => {
    const before = await resolve(as(KIM));
    const said = await command('closient', ['--revoke', tokens[KIM] ?? '', '--data', folder.path]);
    const after = await resolve(as(KIM));
    expect([before?.code, said.status, after?.code]).toEqual([-32200, 0, -32001]);
  });
});
