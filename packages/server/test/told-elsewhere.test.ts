/** What one part of a call gives away as a secret is in nothing that is told of the call, on either SDK. */
import { FaultError, fault, makeFault } from '@mayday/core';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer, ProtocolError, UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import type { GuardOptions } from '../src/options.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw, faultIn, type RawClient, textOf } from './wire.ts';

const SECRET = 'hunter2-x9';
const LEAKS = /hunter2|Z290IGh1bnRlcjI/;

/** What a handler is given to tell of its work. */
type Tell = (message: string) => Promise<void>;
type Work = (tell: Tell) => unknown;
/** Of either SDK. */
interface Context {
  readonly mcpReq?: { notify(message: object): Promise<void> };
  sendNotification?(message: object): Promise<void>;
}

const text = (said: string) => ({ type: 'text', text: said });
const failing = (content: readonly object[], more: object = {}) => ({ isError: true, content, ...more });
const thrown = (message: string, more: object = {}, options: ErrorOptions = {}): never => {
  throw Object.assign(new Error(message, options), more);
};
const asking = (...words: readonly string[]) => ({
  resultType: 'input_required',
  inputRequests: Object.fromEntries(
    words.map((message, at) => [
      `q${at}`,
      { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: SCHEMA } },
    ]),
  ),
});
const SCHEMA = { type: 'object', properties: { again: { type: 'string', description: `not ${SECRET}` } } };

const WAYS: { readonly [way: string]: Work } = {
  'in another block': () =>
    failing([text(`login failed for password=${SECRET}`), text(`tried ${SECRET} twice`)]),
  'in a block behind it': () =>
    failing([text(`tried ${SECRET} twice`), text(`password=${SECRET} was refused`)]),
  'in structured content': () =>
    failing([text(`could not use ${SECRET}`)], { structuredContent: { password: SECRET } }),
  'in meta': () =>
    failing([text(`could not use ${SECRET}`)], { _meta: { 'com.example/login': { password: SECRET } } }),
  'beside a key that is the secret': () =>
    failing([text('no')], { structuredContent: { password: SECRET, [SECRET]: 1 } }),
  'beside a link': () =>
    failing([
      text(`password=${SECRET}`),
      {
        type: 'resource_link',
        uri: 'x://a',
        name: `n ${SECRET}`,
        title: `${SECRET} of ann`,
        description: `is ${SECRET}`,
      },
    ]),
  'beside a resource': () =>
    failing([
      {
        type: 'resource',
        resource: { uri: `x://${SECRET}/a`, text: `got ${SECRET}` },
        _meta: { note: SECRET },
      },
      { ...text(`password=${SECRET}`), annotations: { note: SECRET } },
    ]),
  'beside bytes': () =>
    failing([
      text(`password=${SECRET}`),
      { type: 'resource', resource: { uri: 'x://a', blob: Buffer.from(`got ${SECRET}`).toString('base64') } },
    ]),
  'in the data of an exception': () => thrown(`User ${SECRET} not found`, { data: { password: SECRET } }),
  'in a cause': () =>
    thrown(`User ${SECRET} not found`, {}, { cause: new Error(`password=${SECRET} failed`) }),
  'in the data of a cause': () =>
    thrown(
      `User ${SECRET} not found`,
      {},
      {
        cause: Object.assign(new Error('x'), { config: { auth: { username: 'ann', password: SECRET } } }),
      },
    ),
  'in one of several': () => {
    throw new AggregateError(
      [new Error(`User ${SECRET} not found`), new Error(`password=${SECRET}`)],
      `${SECRET} not found`,
    );
  },
  'in the details of a fault': () => {
    throw fault.notFound('No user ann', {
      advice: `do not use ${SECRET}`,
      details: { tried: [SECRET], password: SECRET },
    });
  },
  'in the cause of a fault': () => {
    const made = makeFault({ kind: 'not_found', message: `No user ${SECRET}` });
    throw new FaultError(made, { cause: new Error(`password=${SECRET}`) });
  },
  'in the data of a protocol error': () => {
    throw new ProtocolError(-32602, `No user ${SECRET}`, { password: SECRET, tried: [SECRET] });
  },
  'in an exception that is returned': () =>
    Object.assign(new Error(`User ${SECRET} not found`), { data: { password: SECRET } }),
  'in a fault of somebody else': () =>
    failing([text(`No user ${SECRET}`)], {
      _meta: {
        'dev.mayday/fault': { kind: 'not_found', message: `No ${SECRET}`, details: { password: SECRET } },
      },
    }),
  'in what it told before it failed': async (tell) => {
    await tell(`login with password=${SECRET}`);
    await tell(`again with ${SECRET}`);
    return thrown(`User ${SECRET} not found`);
  },
  'in what it told before it came back': async (tell) => {
    await tell(`login with password=${SECRET}`);
    return failing([text(`No user ${SECRET}`)]);
  },
  'in an address to open': () => {
    throw new UrlElicitationRequiredError([
      {
        mode: 'url',
        message: `not ${SECRET}`,
        elicitationId: 'e',
        url: `https://ann:${SECRET}@login.example.com/`,
      },
    ]);
  },
  'in a question': () => asking(`password=${SECRET}`),
  'in another question': () => asking(`was ${SECRET} right?`, `password=${SECRET}`),
};

async function connect(version: string, work: Work, options: GuardOptions = {}): Promise<RawClient> {
  const about = { name: 's', version: '1' };
  const made =
    version === 'v1' ? guardV1(new McpServerV1(about), options) : guard(new McpServer(about), options);
  const server = made as McpServer;
  server.registerTool('t', { inputSchema: z.looseObject({}) }, async (_args, context) => {
    const { mcpReq, sendNotification } = context as unknown as Context;
    const notify = mcpReq?.notify.bind(mcpReq) ?? sendNotification;
    const params = { progressToken: 1, progress: 1 };
    return work(async (message) =>
      notify?.({ method: 'notifications/progress', params: { ...params, message } }),
    ) as never;
  });
  return connectRaw(server);
}

const call = { name: 't', arguments: {}, _meta: { progressToken: 1 } };

describe.each(['v2', 'v1'])('%s', (version) => {
  it.each(Object.entries(WAYS))('%s', async (_way, work) => {
    const client = await connect(version, work);
    await client.ask('tools/call', call);
    expect(client.received.length).toBeGreaterThan(0);
    expect(JSON.stringify(client.received)).not.toMatch(LEAKS);
  });

  it('in what `mapError` makes of it', async () => {
    const mapError = (): FaultError => fault.notFound(`No user ${SECRET}`);
    const client = await connect(version, () => thrown('no', { password: SECRET }), { mapError });
    const answer = await client.ask('tools/call', call);
    expect(faultIn(answer)['message']).toBe('No user [password:1]');
  });

  it('and what it says beside it stays', async () => {
    const work = () =>
      failing([text(`Order 1042 not found, tried ${SECRET}`)], { structuredContent: { password: SECRET } });
    const answer = await (await connect(version, work)).ask('tools/call', call);
    expect(faultIn(answer)['message']).toBe('Order 1042 not found, tried [password:1]');
  });

  it.each([
    [{ password: 'test' }, 'This is a test of order 12'],
    [{ token: 'none' }, 'none of the orders was found'],
    [{ secret: 'required' }, 'A note is required'],
    [{ token: 'v1.22.333-beta.1' }, 'Version v1.22.333-beta.1 not found'],
    [{ token: 'eu-west-1' }, 'Region eu-west-1 not found'],
    [{ password: 'savings' }, 'No savings account'],
    [{ password: 'agreement' }, 'The agreement was not found'],
    [{ secret: 4711 }, 'Order 4711 not found'],
    [{ api_key: 'production' }, 'No production order'],
  ])('and an ordinary word stays where it is no secret: %j', async (structuredContent, words) => {
    const client = await connect(version, () => failing([text(words)], { structuredContent }));
    const answer = await client.ask('tools/call', call);
    expect(faultIn(answer)['message']).toBe(words);
    expect(textOf({ message: answer })).toBe(words);
  });
});
