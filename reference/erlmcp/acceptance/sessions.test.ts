import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Endpoint, post } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import { freshFolder, type HttpReference, serveHttp } from '../../acceptance/reference.ts';
import { callTool, INITIALIZE } from '../../acceptance/wire.ts';
import { addUser } from './world.ts';

/** More than the server keeps. */
const MANY = 1005;

const folder = freshFolder();
let server: HttpReference;
let password: string;
beforeAll(async () => {
  password = await addUser(folder.path, 'ada', 'admin');
  server = await serveHttp('erlmcp', folder.path, ['--rate-limit', '100000']);
}, SLOW);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

async function session(headers: Record<string, string> = {}): Promise<Endpoint> {
  const endpoint = new Endpoint(server.mcp, headers);
  await endpoint.initialize();
  return endpoint;
}

async function token(): Promise<string> {
  const { result } = await (await session()).request('auth/login', { user: 'ada', password });
  return result.token;
}

/** Greetings of strangers, and whether each of them goes on to use what it opened. */
async function strangers(finish: boolean): Promise<void> {
  for (let n = 0; n < MANY; n += 1) {
    if (finish) await session();
    else await post(server.mcp, { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
  }
}

describe('more sessions than are kept', () => {
  it.each([
    ['that nobody finishes', false],
    ['of guests', true],
  ])(
    '%s end neither those who have signed in nor a call under way',
    async (_what, finish) => {
      const signedIn = await session();
      await signedIn.request('auth/authenticate', { token: await token() });
      const bearer = await session({ authorization: `Bearer ${await token()}` });
      expect([(await signedIn.request('ping')).result, (await bearer.request('ping')).result]).toEqual([
        {},
        {},
      ]);
      const busy = await session();
      const underWay = callTool(busy, 'wait', { ms: 9000 });
      await strangers(finish);
      const audit = { uri: 'audit://logins' };
      expect((await signedIn.request('resources/read', audit)).error).toBeUndefined();
      expect((await bearer.request('resources/read', audit)).error).toBeUndefined();
      expect((await underWay).error).toBeUndefined();
      expect((await busy.request('ping')).error).toBeUndefined();
    },
    SLOW,
  );
});
