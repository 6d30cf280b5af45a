/** A secret that an exception carries in what is no plain object, and that its words mention, is in no answer, on either SDK. */
import { FaultError, fault, makeFault } from '@mayday/core';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import type { GuardOptions } from '../src/options.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw, faultIn, type RawClient } from './wire.ts';

const SECRET = 'hunter2-blue-9931';
const LEAKS = /hunter2|9931/;
const utf8 = (text: string): Buffer => Buffer.from(text);

/** A class that keeps what it was given to itself. */
class Login {
  readonly #password = SECRET;
  get password(): string {
    return this.#password;
  }
}

class LoginFailed extends Error {
  readonly #password = SECRET;
  get credentials(): object {
    return { username: 'ann', password: this.#password };
  }
}

class Listed extends Error {
  readonly #password = SECRET;
  toJSON(): object {
    return { name: 'Listed', login: { password: this.#password } };
  }
}

class Sealed {
  readonly #value = SECRET;
  toJSON(): string {
    return this.#value;
  }
}

class OwnFault extends FaultError {
  readonly password = SECRET;
}

const twice = new Headers([['set-cookie', 'lang=en']]);
twice.append('set-cookie', `sid=${SECRET}`);
const form = new FormData();
form.append('password', SECRET);
const wide = new Uint8Array(utf8(`{"password":"${SECRET}"}`));

/** What an exception has, each of which gives the secret away. */
const CARRIED: { readonly [what: string]: object } = {
  'headers: authorization': { config: { headers: new Headers({ authorization: `Bearer ${SECRET}` }) } },
  'headers: basic': {
    config: { headers: new Headers({ authorization: `Basic ${btoa(`ann:${SECRET}`)}` }) },
  },
  'headers: cookie': { config: { headers: new Headers({ cookie: `lang=en; sid=${SECRET}` }) } },
  'headers: a cookie of several': { response: { headers: twice } },
  'headers: a key': { config: { headers: new Headers({ 'x-api-key': SECRET }) } },
  'an address with a password': { url: new URL(`https://ann:${SECRET}@shop.example/orders`) },
  'an address with a key': { config: { url: new URL(`https://shop.example/orders?api_key=${SECRET}`) } },
  'search parameters': { params: new URLSearchParams({ api_key: SECRET, page: '2' }) },
  'a form': { body: form },
  'a buffer': { password: utf8(SECRET) },
  'a buffer with words': { body: utf8(`user=ann&password=${SECRET}`) },
  'a buffer with JSON': { body: utf8(JSON.stringify({ login: { password: SECRET } })) },
  'a wide buffer': { body: Buffer.from(`{"password":"${SECRET}"}`, 'utf16le') },
  'an array of bytes': { body: wide },
  'an array buffer': { body: wide.buffer },
  'a shared array buffer': { password: shared(SECRET) },
  'a view of bytes': { password: new DataView(new Uint8Array(utf8(SECRET)).buffer) },
  'a buffer as JSON has it': { password: utf8(SECRET).toJSON() },
  'a map': { settings: new Map<string, unknown>([['login', new Map([['password', SECRET]])]]) },
  'a map with keys that are none': { settings: new Map<unknown, unknown>([[{ password: SECRET }, 1]]) },
  'a map with symbols': { settings: new Map([[Symbol('password'), SECRET]]) },
  'a set': { passwords: new Set([SECRET]) },
  'a set of objects': { logins: new Set([{ password: SECRET }]) },
  'a getter of a class': { login: new Login() },
  'a getter of its own': {
    login: {
      get password() {
        return SECRET;
      },
    },
  },
  'a symbol': { [Symbol('password')]: SECRET },
  'a hidden symbol': Object.defineProperty({}, Symbol('inside'), { value: { password: SECRET } }),
  'a request': {
    request: new Request('https://shop.example/', { headers: { authorization: `Bearer ${SECRET}` } }),
  },
  'the address of a request': { request: new Request(`https://shop.example/?api_key=${SECRET}`) },
  'a response': { response: new Response(null, { headers: { 'set-cookie': `sid=${SECRET}` } }) },
  'what says itself to JSON': { password: new Sealed() },
  'a text in a box': { password: new String(SECRET) },
};

function shared(text: string): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(text.length);
  new Uint8Array(buffer).set(utf8(text));
  return buffer;
}

const words = `User ${SECRET} not found`;
/** Hidden members and symbols too. */
const withAll = <T extends object>(target: T, members: object): T =>
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(members));
const thrown = (reason: unknown): never => {
  throw reason;
};
const failing = (structuredContent: object) => ({
  isError: true,
  content: [{ type: 'text', text: words }],
  structuredContent,
});

/** Where an exception may have it. */
const PLACES: { readonly [place: string]: (members: object) => unknown } = {
  itself: (members) => thrown(withAll(new Error(words), members)),
  'its cause': (members) => thrown(new Error(words, { cause: withAll(new Error('fetch failed'), members) })),
  'a cause that is no error': (members) => thrown(new Error(words, { cause: members })),
  'one of several': (members) =>
    thrown(new AggregateError([withAll(new Error('fetch failed'), members)], words)),
  'what is thrown and no error': (members) => thrown(withAll({ message: words }, members)),
  'the cause of a fault': (members) =>
    thrown(
      new FaultError(makeFault({ kind: 'not_found', message: words }), {
        cause: withAll(new Error('no'), members),
      }),
    ),
  'a fault': (members) => thrown(withAll(fault.notFound(words), members)),
  'a fault with a cause': (members) =>
    thrown(withAll(fault.notFound(words, { cause: new Error('no') }), members)),
  'the data of an error of the protocol': (members) => thrown(new ProtocolError(-32602, words, members)),
  'what is returned': (members) => withAll(new Error(words), members),
  'a result': (members) => failing({ login: withAll({}, members) }),
};

const VERSIONS: readonly string[] = ['v2', 'v1'];

async function connect(version: string, work: () => unknown, options: GuardOptions = {}): Promise<RawClient> {
  const about = { name: 's', version: '1' };
  const made =
    version === 'v1' ? guardV1(new McpServerV1(about), options) : guard(new McpServer(about), options);
  const server = made as McpServer;
  server.registerTool('t', { inputSchema: z.looseObject({}) }, async () => work() as never);
  return connectRaw(server);
}

const call = { name: 't', arguments: {} };

describe.each(VERSIONS)('%s', (version) => {
  describe.each(Object.entries(PLACES))('%s', (_place, work) => {
    it.each(Object.entries(CARRIED))('%s', async (_what, members) => {
      const client = await connect(version, () => work(members));
      const answer = await client.ask('tools/call', call);
      expect(JSON.stringify(answer)).not.toMatch(LEAKS);
      expect(faultIn(answer)['message']).toContain('not found');
    });
  });

  it.each<readonly [string, () => Error]>([
    ['a getter of its class', () => new LoginFailed(words)],
    ['what it says to JSON', () => new Listed(words)],
    ['a fault of a class of its own', () => new OwnFault(makeFault({ kind: 'not_found', message: words }))],
  ])('an error with %s', async (_what, made) => {
    for (const work of [() => thrown(made()), () => thrown(new Error(words, { cause: made() }))]) {
      const answer = await (await connect(version, work)).ask('tools/call', call);
      expect(JSON.stringify(answer)).not.toMatch(LEAKS);
    }
  });

  it('what an exception has stays out of what `mapError` makes of its words', async () => {
    const reason = withAll(new Error(words), { url: new URL(`https://ann:${SECRET}@shop.example/`) });
    const mapError = (): FaultError => fault.notFound(words, { cause: new Error('mapped') });
    const answer = await (await connect(version, () => thrown(reason), { mapError })).ask('tools/call', call);
    expect(faultIn(answer)['message']).toBe('User [password:1] not found');
  });

  it('and what says nothing of a secret stays', async () => {
    const members = {
      headers: new Headers({ accept: 'text/plain', 'x-request-id': 'order-1042-abc' }),
      url: new URL('https://shop.example/orders?page=2&order=1042-abc-77'),
      body: utf8('order 1042-abc-77'),
      orders: new Set(['1042-abc-77']),
    };
    const work = () => thrown(withAll(new Error('Order 1042-abc-77 not found'), members));
    const answer = await (await connect(version, work)).ask('tools/call', call);
    expect(faultIn(answer)['message']).toBe('Order 1042-abc-77 not found');
  });
});

describe('what an exception carries is looked at with care', () => {
  it('no getter is run that speaks of no secret, unless it is an error’s', async () => {
    let runs = 0;
    const connection = {
      get socket() {
        runs += 1;
        return undefined;
      },
    };
    const answer = await (
      await connect('v2', () => thrown(withAll(new Error('Order 7 not found'), { connection })))
    ).ask('tools/call', call);
    expect(faultIn(answer)['message']).toBe('Order 7 not found');
    expect(runs).toBe(0);
  });

  it('getters, forms and traps that fail cost nothing', async () => {
    const traps: ProxyHandler<object> = {
      ownKeys: () => thrown(new Error('trap')),
      get: () => thrown('trap'),
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const members = {
      get password(): string {
        return thrown(new Error('no'));
      },
      get token(): Promise<string> {
        return Promise.reject(new Error('not awaited by anybody'));
      },
      toJSON: () => thrown(new Error('no')),
      trap: new Proxy({}, traps),
      revoked: proxy,
      headers: { [Symbol.toStringTag]: 'Headers' },
      url: { [Symbol.toStringTag]: 'URL', toString: () => thrown(new Error('no')) },
      request: { [Symbol.toStringTag]: 'Request' },
    };
    const work = () => thrown(withAll(new Error('Order 7 not found'), members));
    const answer = await (await connect('v2', work)).ask('tools/call', call);
    expect(faultIn(answer)['message']).toBe('Order 7 not found');
  });

  it('and comes to an end', async () => {
    const endless = (): object => ({
      toJSON: endless,
      get password() {
        return endless();
      },
    });
    const members = {
      endless: endless(),
      bytes: Buffer.alloc(50_000_000, 'a'),
      headers: {
        [Symbol.toStringTag]: 'Headers',
        *[Symbol.iterator]() {
          for (;;) yield ['a', 'b'];
        },
      },
      set: new Set(Array.from({ length: 300_000 }, (_, at) => `item ${at}`)),
    };
    const work = () => thrown(withAll(new Error('Order 7 not found'), members));
    const client = await connect('v2', work);
    const before = performance.now();
    const answer = await client.ask('tools/call', call);
    expect(faultIn(answer)['message']).toBe('Order 7 not found');
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
