/** Which parts of the settings are credentials, wherever a server repeats them. */
import { expect, it } from 'vitest';
import { hideGiven, hiderOf, inBytes } from './hide-given.ts';
import type { Hide } from './hiding.ts';

const url = new URL('http://x/');

it.each([
  [{ cookie: 'JSESSIONID=Zq81kd0PXw77' }, 'Zq81kd0PXw77'],
  [{ authorization: 'Basic YWRtaW46SHVudGVyMjIy' }, 'Hunter222'],
  [{ authorization: 'Token token="Plm99oknIjb", id=5' }, 'Plm99oknIjb'],
  [{ authorization: 'ApiKey id:Xsw2zaq1' }, 'Xsw2zaq1'],
  [{ 'x-custom': 'Bearer abcdefgh12345678abcd' }, 'abcdefgh12345678abcd'],
  [{ 'x-api-key': 'correct horse battery staplexy9' }, 'correct horse battery staplexy9'],
])('in the headers %j', (headers, secret) => {
  expect(hiderOf({ type: 'url', url, headers } as never)?.(`bad ${secret}!`)).toBe('bad [hidden]!');
});

it.each([
  [{ DATABASE_URL: 'postgres://svc:Hunt3r7x@db.int/prod' }, [], 'Hunt3r7x'],
  [{ GOOGLE_CREDS_JSON: '{"private_key":"Kk3kd93kdkd0","x":1}' }, [], 'Kk3kd93kdkd0'],
  [{ MY_SECRETS: 'aaa11bbb22,ccc33ddd44' }, [], 'ccc33ddd44'],
  [{ API_TOKEN: 'correct horse battery staple' }, [], 'correct horse battery staple'],
  [{ API_TOKEN: 'correct horse battery staplexy9' }, [], 'correct horse battery staplexy9'],
  [{ API_TOKEN: 'my/pass phrase 77' }, [], 'my/pass phrase 77'],
  [{ DB_PASSWORD: 'Straße/Kennwort+Öl ÄÖ9' }, [], 'Straße/Kennwort+Öl ÄÖ9'],
  [{}, ['--dsn', 'host=x password=hunter2hunter'], 'hunter2hunter'],
  [{}, ['--header', 'Authorization: Bearer abcdef123456abcdef'], 'abcdef123456abcdef'],
  [{}, ['--header=X-Api-Key: abcdef123456'], 'abcdef123456'],
  [{}, ['-y', 'pg', 'postgresql://bob:Hunt3r7xyz@localhost/mydb'], 'Hunt3r7xyz'],
  [{}, ['mcp-remote', 'https://h/sse?apiKey=Hunt3r7xyz99'], 'Hunt3r7xyz99'],
  [{}, ['-c', 'cd /srv && ACME_TOKEN=Hunt3r7xyz99 exec node x.js'], 'Hunt3r7xyz99'],
  [{}, ['ACME_TOKEN=Hunt3r7xyz99 exec node x.js'], 'Hunt3r7xyz99'],
])('in the environment %j and the arguments %j', (env, args, secret) => {
  expect(hiderOf({ type: 'command', env, args } as never)?.(`bad ${secret}!`)).toBe('bad [hidden]!');
});

it.each([
  'correct horse battery staple',
  'correct horse battery staplexy9',
  'my/pass phrase 77',
  'Kennwort+Oel 9',
  'Straße/Kennwort+Öl ÄÖ9',
  'two\nlines 7',
  'see the vault',
])('whatever words they are made of: %j', (secret) => {
  const bad = `bad ${secret}!`;
  const hidden = 'bad [hidden]!';
  for (const name of ['API_TOKEN', 'DB_PASSWORD', 'CLIENT_SECRET', 'PRIVATE_KEY']) {
    expect(hiderOf({ type: 'command', env: { [name]: secret }, args: [] } as never)?.(bad)).toBe(hidden);
  }
  expect(hiderOf({ type: 'command', env: {}, args: ['--api-key', secret] } as never)?.(bad)).toBe(hidden);
  expect(hiderOf({ type: 'url', url, headers: { 'x-api-key': secret } } as never)?.(bad)).toBe(hidden);
  expect(hiderOf({ type: 'openapi', headers: {}, query: { api_key: secret } } as never)?.(bad)).toBe(hidden);
});

it.each(['MDkwYTI3Zm9vYmFyQg', '0f3a9c417be24d5890aa61e2'])('in the path of a url: %s', (secret) => {
  const hide = hiderOf({ type: 'url', url: new URL(`http://x/api/s/${secret}/mcp`), headers: {} } as never);
  expect(hide?.(`bad ${secret}!`)).toBe('bad [hidden]!');
});

it.each(['v1/projects/my-project-123456/mcp', 'api/2025-11-25/mcp', 'servers/GitHubEnterprise/mcp'])(
  'but no path that somebody has typed: %s',
  (path) => {
    expect(hiderOf({ type: 'url', url: new URL(`http://x/${path}`), headers: {} } as never)).toBeUndefined();
  },
);

it.each([
  ['-y', '@modelcontextprotocol/server-filesystem@2025.11.18', '/home/ann/notes'],
  ['https://example.com/sse?page=2', 'host.example:8080', 'MODE=production'],
  ['ann@example.com', '10.1.2.3'],
])('and no argument that has none: %j', (...args) => {
  expect(hiderOf({ type: 'command', env: {}, args } as never)).toBeUndefined();
});

it.each([
  [{ MAX_TOKENS: 'four thousand 96' }],
  [{ GREETING: 'hello to all 9' }],
  [{ TOKEN_FILE: '/srv/a b/token 9' }],
  [{ API_TOKEN: 'required' }],
])('and which are none: %j', (env) => {
  expect(hiderOf({ type: 'command', env, args: [] } as never)).toBeUndefined();
});

it.each([
  [{ PWD: '/home/ann/acme-project' }, '/home/ann/acme-project'],
  [{ OLDPWD: '/srv/acme' }, '/srv/acme'],
  [{ PWD: 'C:\\work\\acme-project' }, 'C:\\work\\acme-project'],
  [{ DESKTOP_SESSION: 'ubuntu-xorg', GDMSESSION: 'ubuntu-xorg' }, 'ubuntu-xorg'],
  [{ SESSIONNAME: 'RDP-Tcp#12' }, 'RDP-Tcp#12'],
  [{ XDG_SESSION_ID: 'session-c2' }, 'session-c2'],
  [{ TERM_SESSION_ID: 'w0t0p0:4C0A-11', ITERM_SESSION_ID: 'w0t0p0:4C0A-11' }, 'w0t0p0:4C0A-11'],
])('not what a shell or a desktop sets for everybody: %j', (env, value) => {
  const settings = { type: 'command', env: { ...env, API_TOKEN: 'Zq81kd0PXw77' }, args: [] } as never;
  const hide = hiderOf(settings);
  expect(hide?.(`nothing in ${value}/src, Zq81kd0PXw77`)).toBe(`nothing in ${value}/src, [hidden]`);
});

it('but what somebody keeps under such a name', () => {
  const settings = { type: 'command', env: { PWD: 'Zq81kd0PXw77' }, args: [] } as never;
  expect(hiderOf(settings)?.('bad Zq81kd0PXw77!')).toBe('bad [hidden]!');
});

it.each([
  [{ GOOGLE_APPLICATION_CREDENTIALS: '/home/ann/gcp.json' }, []],
  [{ KEY_FILE: '/home/ann/keys/id.pem' }, []],
  [{ PASSWORD_STORE_DIR: '/home/ann/.password-store' }, []],
  [{ AWS_SHARED_CREDENTIALS_FILE: 'C:\\Users\\ann\\.aws\\credentials' }, []],
  [{}, ['--private-key-path', '/home/ann/keys/id.pem']],
])('nor the place where one is kept, which somebody has to correct: %j %j', (env, args) => {
  expect(hiderOf({ type: 'command', env, args } as never)).toBeUndefined();
});

it.each([
  [{ API_CREDENTIALS: '/Zq81kd0PXw77/Kd93mmPl0q==' }, '/Zq81kd0PXw77/Kd93mmPl0q=='],
  [{ DB_PASSWORD: '/winter/sommer' }, '/winter/sommer'],
])('but a secret in the place of such a place: %j', (env, secret) => {
  expect(hiderOf({ type: 'command', env, args: [] } as never)?.(`bad ${secret}!`)).toBe('bad [hidden]!');
});

it('goes from messages whose blocks have it in their bytes, and leaves base64 what it is', () => {
  const hide = hiderOf({ type: 'url', url, headers: { 'x-api-key': 'Zq81kd0PXw77' } } as never);
  const saying = (words: string, secret: string): object => ({
    jsonrpc: '2.0',
    method: 'sampling/createMessage',
    params: {
      words,
      content: { type: 'image', data: Buffer.from(`\0${secret}\0`, 'latin1').toString('base64') },
    },
  });
  const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));
  const left = inBytes(bytes(saying('a Zq81kd0PXw77', 'Zq81kd0PXw77')), hide ?? String);
  expect(JSON.parse(left.toString())).toEqual(saying('a [hidden]', '************'));
  const clean = bytes(saying('none', 'x'.repeat(900)));
  expect(inBytes(clean, hide ?? String)).toBe(clean);
});

it('takes what was read of a message that is very long for all of it', async () => {
  const hide = hiderOf({ type: 'command', env: { API_TOKEN: 'Kk3kd93kdkd0' }, args: [] } as never) as Hide;
  const message = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'too much' } };
  const bytes = Buffer.from(`{"more":["${'aaaaaa","'.repeat(1_000_000)}"]}`);
  const failing = async (): Promise<object> => ({
    ok: false,
    fault: { kind: 'unknown', message: 'too much', retry: { when: 'never' } },
    value: { type: 'message', message, bytes },
  });
  const handle = hideGiven(hide)(failing as never) as (call: object) => Promise<object>;
  expect(await handle({ back: {} })).toMatchObject({
    value: { message, bytes: Buffer.from(JSON.stringify(message)) },
  });
});
