/** Too few scopes, from docs/oauth.md: what would help is told under 403, what would not is a refusal like any other. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Answer, faultOf, type Message, post, words } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, RESOURCE, startIssuer } from '../support/issuer.ts';
import { ask, call, initialize, modern } from '../support/messages.ts';
import { fate, listed, named, use } from '../support/policy.ts';
import { API_PATHS, openapiFile } from '../support/world.ts';

const META = 'https://mcp.example.com/.well-known/oauth-protected-resource';
const KEY = 'kim-key-0123456789';
const RULES = [
  { allow: ['*/pay', 'u/hello', 'u/test://one'], scopes: ['bank:pay', 'bank:see'] },
  { deny: ['*/lookup'] },
  { allow: ['*/echo'] },
];

const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
let login: Issuer;
let gateway: Gateway;
let opaque: Gateway;
beforeAll(async () => {
  [http, login] = await Promise.all([
    startHttpPuppet({ ledger, tools: named('echo', 'pay', 'lookup', 'none') }),
    startIssuer(),
  ]);
  const settings = (refusals: string): object => ({
    keys: [{ name: 'kim', key: KEY }],
    oauth: { resource: RESOURCE, scopes: ['mcp'], issuers: [{ name: 'login', issuer: login.url }] },
    access: { default: 'deny', refusals, rules: RULES },
    upstreams: {
      u: { url: http.url },
      o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
    },
  });
  gateway = await startGateway(settings('explicit'));
  opaque = await startGateway(settings('opaque'));
});
afterAll(async () => {
  await Promise.all([gateway.stop('SIGKILL'), opaque.stop('SIGKILL')]);
  await Promise.all([http.close(), login.down()]);
  rmSync(folder, { recursive: true });
});

/** Status, challenge, and whether it is a JSON-RPC error. */
function told({ status, headers, message }: Answer): unknown[] {
  return [status, headers['www-authenticate'], fate(message), message['error'] !== undefined];
}

describe('a token without the scopes that all need', () => {
  it.each([
    ['u', 'echo', '/u/mcp'],
    ['o', 'echo', '/o/mcp'],
    ['', 'u_echo', '/mcp'],
  ])('is refused at /%s', async (endpoint, tool, path) => {
    for (const scope of ['other', '', undefined, ['MCP', 'mcp2']]) {
      const answer = await use(gateway, endpoint, tool, {}, { key: await login.token({ scope }) });
      expect([answer.status, answer.headers['www-authenticate'], faultOf(answer.message)['kind']]).toEqual([
        403,
        `Bearer error="insufficient_scope", scope="mcp", resource_metadata="${META}${path}"`,
        'forbidden',
      ]);
    }
  });

  it('is refused for lists and sessions too', async () => {
    const key = await login.token({ scope: 'other' });
    const answers = await Promise.all([
      post(at(gateway, 'u'), ask('tools/list'), { key }),
      post(at(gateway, 'o'), initialize(), { key }),
      post(at(gateway, ''), initialize(), { key }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(answers.map(({ headers }) => headers['mcp-session-id'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a call that a rule allows only with scopes', () => {
  it.each([
    ['u', 'pay', '/u/mcp'],
    ['o', 'pay', '/o/mcp'],
    ['', 'u_pay', '/mcp'],
    ['', 'o_pay', '/mcp'],
  ])('at /%s (%s) asks for all that the rule asks for', async (endpoint, tool, path) => {
    const key = await login.token({ scope: 'mcp bank:see' });
    const args = endpoint === 'o' || tool === 'o_pay' ? {} : { key: 'refused' };
    const answer = await use(gateway, endpoint, tool, args, { key });
    expect(told(answer)).toEqual([
      403,
      expect.stringMatching(/^Bearer error="insufficient_scope", scope="[^"]+", resource_metadata="[^"]+"$/),
      'forbidden/no',
      true,
    ]);
    const challenge = String(answer.headers['www-authenticate']);
    expect(challenge).toContain(`resource_metadata="${META}${path}"`);
    const scopes = /scope="([^"]+)"/.exec(challenge)?.[1]?.split(' ');
    expect(scopes).toEqual(expect.arrayContaining(['mcp', 'bank:pay', 'bank:see']));
    expect(faultOf(answer.message)['details'].required_scopes).toEqual(['bank:pay']);
  });

  it('names what every token needs and what the rule asks for, and nothing else', async () => {
    const answer = await use(gateway, 'u', 'pay', {}, { key: await login.token() });
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="mcp bank:pay bank:see", resource_metadata="${META}/u/mcp"`,
    );
    expect(faultOf(answer.message)['details'].required_scopes).toEqual(['bank:pay', 'bank:see']);
  });

  it.each([
    ['prompts/get', { name: 'hello' }],
    ['resources/read', { uri: 'test://one' }],
  ])('%s too', async (method, params) => {
    const key = await login.token();
    const answer = await post(at(gateway, 'u'), ask(method, params), { key, within: 15_000 });
    expect([answer.status, fate(answer.message)]).toEqual([403, 'forbidden/no']);
    expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope"');
  });

  it('in 2026-07-28 too', async () => {
    const key = await login.token();
    const answer = await post(at(gateway, 'u'), modern(call('pay')), { key, era: '2026', within: 15_000 });
    expect([answer.status, fate(answer.message)]).toEqual([403, 'forbidden/no']);
    expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope"');
  });

  it('goes through with more, in the same session', async () => {
    const arrived = (): number => http.arrivals.filter(({ body }) => body.includes('stepped')).length;
    const [few, earlier] = [await login.token(), arrived()];
    const opened = await post(at(gateway, ''), initialize(), { key: few, within: 15_000 });
    const session = String(opened.headers['mcp-session-id']);
    const before = await use(gateway, '', 'u_pay', { key: 'stepped' }, { key: few, session });
    const many = await login.token({ scope: 'bank:pay mcp bank:see' });
    const after = await use(gateway, '', 'u_pay', { key: 'stepped' }, { key: many, session });
    expect([before.status, after.status, fate(after.message)]).toEqual([403, 200, 'fine']);
    expect(arrived() - earlier).toBe(1);
  });

  it('never reaches the server', () => {
    expect(http.arrivals.filter(({ body }) => body.includes('"refused"'))).toEqual([]);
    expect(http.arrivals.filter(({ path }) => path.startsWith('/pay'))).toEqual([]);
  });

  it('is absent from the lists until then', async () => {
    const tools = async (scope: string): Promise<string[]> => {
      const key = await login.token({ scope });
      return listed(
        (await post(at(gateway, 'u'), ask('tools/list'), { key, within: 15_000 })).message,
        'tools',
      );
    };
    expect(await tools('mcp bank:see')).toEqual(['echo']);
    expect(await tools('mcp bank:see bank:pay')).toEqual(['echo', 'pay']);
  });
});

describe('where nothing would help, nobody is asked to step up', () => {
  it.each([
    ['deny', 'u', 'lookup'],
    ['default: deny', 'u', 'none'],
    ['deny', '', 'u_lookup'],
  ])('%s at /%s', async (_why, endpoint, tool) => {
    const answer = await use(gateway, endpoint, tool, {}, { key: await login.token() });
    expect([answer.status, answer.headers['www-authenticate'], fate(answer.message)]).toEqual([
      200,
      undefined,
      'forbidden/no',
    ]);
  });

  it('a caller with a key', async () => {
    const answer = await use(gateway, 'u', 'pay', {}, { key: KEY });
    expect([answer.status, answer.headers['www-authenticate'], fate(answer.message)]).toEqual([
      200,
      undefined,
      'forbidden/no',
    ]);
    expect(words(answer.message)).toContain('bank:pay');
  });

  it.each([
    ['u', 'pay', 'lookup'],
    ['', 'u_pay', 'u_lookup'],
  ])('where refusals are opaque, at /%s', async (endpoint, tool, denied) => {
    const key = await login.token();
    const [answer, other, byKey] = [
      await use(opaque, endpoint, tool, {}, { key }),
      await use(opaque, endpoint, denied, {}, { key }),
      await use(opaque, endpoint, tool, {}, { key: KEY }),
    ];
    const bare = (message: Message): string => JSON.stringify(message).replace(/[0-9a-f-]{36}/g, 'ID');
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([200, undefined]);
    expect(bare(answer.message)).toBe(bare(other.message));
    expect(bare(answer.message)).toBe(bare(byKey.message));
    expect(JSON.stringify(answer.message)).not.toContain('bank:');
  });

  it('in the qaqnuz dialect', async () => {
    const key = await login.token();
    const answer = await use(gateway, 'u', 'pay', {}, { key, dialect: 'qaqnuz' });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([200, undefined]);
    expect(words(answer.message)).toContain('This tool is not available for your key.');
  });
});
