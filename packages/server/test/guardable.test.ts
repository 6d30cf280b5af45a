/** What `guard` refuses to take, and what it says then. */
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { pages as expressPages } from '../src/express.ts';
import { pages as fastifyPages } from '../src/fastify.ts';
import { pages as honoPages } from '../src/hono.ts';
import { guardHandler, nodeHandler, withNodeProblems, withProblems } from '../src/http.ts';
import { guard, keys } from '../src/index.ts';

/** The low-level server as SDK 1.0 has it. */
class Server10 {
  async connect(): Promise<void> {}
  setRequestHandler(): void {}
  async sendLoggingMessage(_params: unknown): Promise<void> {}
}

/** The same in SDK 1.10. */
class Server110 extends Server10 {
  assertCanSetRequestHandler(): void {}
}

/** The first that tells the session of what it logs: 1.17.5. */
class Server1175 {
  async connect(): Promise<void> {}
  setRequestHandler(): void {}
  assertCanSetRequestHandler(): void {}
  async sendLoggingMessage(_params: unknown, _sessionId?: string): Promise<void> {}
}

/** An author's class on top of it, with one more parameter. */
class AuthorsServer extends Server110 {
  override async sendLoggingMessage(_params: unknown, _loud?: boolean): Promise<void> {}
}

const TOO_OLD =
  'Expected a server of @modelcontextprotocol/sdk 1.17.5 or newer, got one of an older SDK: npm install @modelcontextprotocol/sdk@1';

const CALLER = { name: 'caller', version: '1' };
const A_CLIENT = 'Expected a server, got a client: `resilient` of @mayday/client is for those';

describe('guard refuses', () => {
  it.each([
    ['SDK 1.0', new Server10(), TOO_OLD],
    ['SDK 1.10', new Server110(), TOO_OLD],
    ['a class of the author’s on SDK 1.10', new AuthorsServer(), TOO_OLD],
    ['an McpServer of SDK 1.10', { server: new Server110(), tool: () => {} }, TOO_OLD],
    ['nothing', undefined, 'Expected a server, got undefined'],
    ['a client of SDK v2', new Client(CALLER), A_CLIENT],
    ['a client of SDK v1', new ClientV1(CALLER), A_CLIENT],
    ['null', null, 'Expected a server, got null'],
    ['a name', 'orders', 'Expected a server, got orders'],
    ['a class', McpServer, 'Expected a server, got the class or function McpServer: guard what it makes'],
    [
      'an object of another kind',
      { connect: 1 },
      'Expected a server of the official SDK, got an object without `connect` and `setRequestHandler`',
    ],
  ])('%s', (_name, given, sentence) => {
    expect(() => guard(given as never)).toThrow(new TypeError(sentence));
  });
});

const NO_HANDLER = 'Expected a handler with `fetch`, as `createMcpHandler` makes one, got ';

describe.each([
  ['guardHandler', guardHandler],
  ['nodeHandler', nodeHandler],
])('%s refuses', (_name, take) => {
  const info = { name: 's', version: '1' };
  const A_SERVER = 'a server: `createMcpHandler(() => guard(createServer()))`';
  it.each([
    ['a server', () => new McpServer(info), A_SERVER],
    ['a server of SDK v1', () => new McpServerV1(info), A_SERVER],
    ['a low-level server', () => new Server(info), A_SERVER],
    ['a guarded server', () => guard(new McpServer(info)), A_SERVER],
    ['a function', () => createMcpHandler, 'the class or function createMcpHandler'],
    ['an object of another kind', () => ({}), 'an object without `fetch`'],
    ['nothing', () => undefined, 'undefined'],
    ['null', () => null, 'null'],
    ['a name', () => 'orders', 'a string'],
  ])('%s', (_what, make, got) => {
    expect(() => take(make() as never)).toThrow(new TypeError(NO_HANDLER + got));
  });
});

it.each([
  ['withProblems', withProblems],
  ['withNodeProblems', withNodeProblems],
])('%s refuses what is no function', (_name, take) => {
  const message = 'Expected a function that answers requests, got an object';
  expect(() => take({} as never)).toThrow(new TypeError(message));
});

describe('guard takes', () => {
  class Quiet extends Server {
    override async sendLoggingMessage(): Promise<void> {}
  }
  it.each([
    ['SDK v2', () => new McpServer({ name: 's', version: '1' })],
    ['SDK v1', () => new McpServerV1({ name: 's', version: '1' })],
    ['a class of the author’s that logs nothing', () => new Quiet({ name: 's', version: '1' })],
  ])('%s', (_name, make) => {
    const server = make();
    expect(guard(server)).toBe(server);
  });

  it('what SDK 1.17.5 has as recent enough', () => {
    const server = new Server1175() as unknown as Server;
    expect(guard(server)).toBe(server);
  });
});

describe('an option with a value that nobody reads', () => {
  const server = () => new McpServer({ name: 's', version: '1' });
  it.each([
    [
      'unhandledRejections',
      'ignore',
      'Expected `unhandledRejections` to be "report" or "leave", got "ignore"',
    ],
    [
      'registered',
      [{}],
      'Expected `registered` to be a list of handles that registering gave back, got [{}]',
    ],
    ['telemetry', {}, 'Expected `telemetry` to be what `openTelemetry()` makes, got {}'],
  ])('%s', (name, value, sentence) => {
    expect(() => guard(server(), { [name]: value } as never)).toThrow(new TypeError(sentence));
  });

  it('leaves the server unguarded, to be guarded again', () => {
    const one = server();
    expect(() => guard(one, { message: 'all' } as never)).toThrow('did you mean `messages`?');
    expect(guard(one)).toBe(one);
  });

  it('keys without a lookup', () => {
    expect(() => keys({} as never)).toThrow(
      new TypeError('Expected `lookup` to be a function that finds a key by its digest, got undefined'),
    );
  });

  it.each([
    ['express', expressPages],
    ['fastify', fastifyPages],
    ['hono', honoPages],
  ])('pages of %s', (_name, pages) => {
    expect(() => pages({ dialct: 'closient' } as never)).toThrow(
      new TypeError('`pages` has no option `dialct`: did you mean `dialect`?'),
    );
    expect(() => pages({ dialect: 'closeint' } as never)).toThrow(
      'Expected `dialect` to be one of closient, onx, ',
    );
  });
});
