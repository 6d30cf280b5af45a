/** A session that a server has forgotten, told in many forms, is opened anew at every door; no call is made twice without proof. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, json, upstream } from '../tools.ts';
import { DOORS } from './doors.ts';

afterEach(cleanUp);

type Denial = (response: ServerResponse, id: number) => void;

const denied = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_001, message: 'Session not found' } });

const LOG = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"paid"}}';

const body =
  (status: number, text: (id: number) => string): Denial =>
  (response, id) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(text(id));

const stream =
  (text: (id: number) => string, isOpen = false): Denial =>
  (response, id) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text(id));
    if (!isOpen) response.end();
  };

/** Has forgotten its first session before the first call, and says so in its way; `onPing`: it answers pings all the same. */
async function bank(deny: Denial, onPing?: () => void) {
  const asked = { pay: 0, paid: 0, opened: 0 };
  let isForgotten = false;
  const { url } = await upstream((said, response, request) => {
    const { id, method } = JSON.parse(said === '' ? '{}' : said);
    if (id === undefined) return response.writeHead(said === '' ? 405 : 202).end();
    if (method === 'initialize') {
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'bank' },
      };
      const session = { 'mcp-session-id': `session-${++asked.opened}` };
      return json(response, 200, { jsonrpc: '2.0', id, result }, session);
    }
    if (method === 'ping' && onPing !== undefined) {
      onPing();
      return json(response, 200, { jsonrpc: '2.0', id, result: {} });
    }
    if (method === 'tools/call') asked.pay += 1;
    isForgotten ||= method === 'tools/call';
    if (isForgotten && request.headers['mcp-session-id'] === 'session-1') return deny(response, id);
    if (method === 'tools/call') asked.paid += 1;
    const result = method === 'tools/list' ? { tools: [] } : { content: [{ type: 'text', text: 'paid' }] };
    return json(response, 200, { jsonrpc: '2.0', id, result });
  });
  return { url, asked };
}

const PROVEN: readonly (readonly [string, Denial])[] = [
  ['an error under no id', body(200, () => denied(null))],
  ['a list of one', body(200, () => `[${denied(null)}]`)],
  ['a stream of one', stream(() => `data: ${denied(null)}\n\n`)],
];

const DOUBTED: readonly (readonly [string, Denial])[] = [
  [
    'a stream that is cut in its answer',
    stream((id) => `data: ${denied(null)}\n\ndata: {"jsonrpc":"2.0","id":${id},"resu`),
  ],
  ['a stream that is cut in the name of an event', stream(() => `data: ${denied(null)}\n\nevent: message\n`)],
  ['a stream that does not end', stream(() => `data: ${denied(null)}\n\n`, true)],
  ['a stream that denies it twice', stream(() => `data: ${denied(null)}\n\ndata: ${denied(null)}\n\n`)],
  ['a stream with a log behind it', stream(() => `data: ${denied(null)}\n\ndata: ${LOG}\n\n`)],
];

/** Nothing proves here that the very call was not worked on. */
const UNPROVEN: readonly (readonly [string, Denial])[] = [
  ['an empty 400', body(400, () => '')],
  ['under the id of the call', body(200, denied)],
  ['under the id of the call, in a stream', stream((id) => `data: ${denied(id)}\n\n`)],
  ['under an id of nobody', body(404, () => denied(0))],
  ['an empty 410', body(410, () => '')],
  ['410 with words', body(410, () => denied(null))],
  ['a 500', body(500, () => denied(null))],
  [
    'a header that nobody knows',
    (response) => void response.writeHead(404, { 'x-order-id': '9' }).end(denied(null)),
  ],
  ['a list of one, in a stream', stream(() => `data: [${denied(null)}]\n\n`)],
  ['a log before it', stream(() => `data: ${LOG}\n\ndata: ${denied(null)}\n\n`)],
];

const unopened = (code: number, message: string): ((id: number) => string) => {
  return (id) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
};
const PYTHON = unopened(-32_602, 'Received request before initialization was complete');

/** Who says these answers pings before anything is opened, as the specification has it. */
const UNOPENED: readonly (readonly [string, Denial])[] = [
  ['in the words of the SDK for Python', body(200, PYTHON)],
  ['in its words, in a stream', stream((id) => `data: ${PYTHON(id)}\n\n`)],
  ['in its words, under 400', body(400, PYTHON)],
];

const PAID = '"result":{"content":[{"type":"text","text":"paid"}]}}';
const REFUSED = '"error":{"code":-32602,"message":"Invalid params"}}';

/** What its own answer comes as, behind the denial. */
const BEHIND: readonly (readonly [what: string, name: string, said: string, told: string])[] = [
  ['its result', 'message', PAID, '"paid"'],
  ['its result in a heartbeat', 'ping', PAID, '"paid"'],
  ['its result as an address', 'endpoint', PAID, '"paid"'],
  ['a refusal, which proves nothing any more', 'message', REFUSED, '"executed":"maybe"'],
];

/** Words of a tool that has sessions of its own, in a session that is known. */
async function browser(says: (id: number) => string) {
  const asked = { calls: 0, opened: 0, pings: 0 };
  const { url } = await upstream((said, response) => {
    const { id, method } = JSON.parse(said === '' ? '{}' : said);
    if (id === undefined) return response.writeHead(said === '' ? 405 : 202).end();
    if (method === 'tools/call') {
      asked.calls += 1;
      return body(200, says)(response, id);
    }
    if (method === 'ping') asked.pings += 1;
    if (method === 'initialize') asked.opened += 1;
    const opening = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'b' } };
    const result = method === 'initialize' ? opening : method === 'tools/list' ? { tools: [] } : {};
    return json(
      response,
      200,
      { jsonrpc: '2.0', id, result },
      { 'mcp-session-id': `session-${asked.opened}` },
    );
  });
  return { url, asked };
}

describe.each(DOORS)('at %s', (_door, enter) => {
  it.each(PROVEN)('the call is made in a new session: %s', async (_, deny) => {
    const { url, asked } = await bank(deny);
    const pay = await enter({ url });
    expect(await pay(5)).toMatchObject({ result: { content: [{ text: 'paid' }] } });
    expect(asked).toEqual({ pay: 2, paid: 1, opened: 2 });
  });

  it.each(DOUBTED)('the call is made once: %s', async (_, deny) => {
    const { url, asked } = await bank(deny);
    const pay = await enter({ url });
    expect(JSON.stringify(await pay(5))).toContain('"executed":"maybe"');
    expect(asked.pay).toBe(1);
  });

  it.each([...DOUBTED, ...UNPROVEN])('the next call finds a new session: %s', async (_, deny) => {
    const { url, asked } = await bank(deny);
    const pay = await enter({ url });
    expect(await pay(5)).not.toMatchObject({ result: { content: [{ text: 'paid' }] } });
    expect(asked).toMatchObject({ pay: 1, paid: 0 });
    expect(await pay(6)).toMatchObject({ result: { content: [{ text: 'paid' }] } });
    expect(asked).toEqual({ pay: 2, paid: 1, opened: 2 });
  });

  it.each(UNOPENED)('who says that nothing was opened is not asked again: %s', async (_, deny) => {
    let pings = 0;
    const { url, asked } = await bank(deny, () => {
      pings += 1;
    });
    const pay = await enter({ url });
    expect(JSON.stringify(await pay(5))).toContain('"executed":"maybe"');
    expect(asked).toMatchObject({ pay: 1, paid: 0 });
    expect(await pay(6)).toMatchObject({ result: { content: [{ text: 'paid' }] } });
    expect(asked).toEqual({ pay: 2, paid: 1, opened: 2 });
    expect(pings).toBe(0);
  });

  it('what is said late of the session before takes nobody the new one', async () => {
    const held: (() => void)[] = [];
    const say = body(200, PYTHON);
    let denials = 0;
    const { url, asked } = await bank((response, id) => {
      if (denials++ === 0) held.push(() => say(response, id));
      else say(response, id);
    });
    const pay = await enter({ url });
    const late = pay(5);
    await expect.poll(() => held.length, { timeout: 10_000, interval: 5 }).toBe(1);
    await pay(6);
    expect(await pay(7)).toMatchObject({ result: { content: [{ text: 'paid' }] } });
    held[0]?.();
    expect(JSON.stringify(await late)).toContain('"executed":"maybe"');
    expect(await pay(8)).toMatchObject({ result: { content: [{ text: 'paid' }] } });
    expect(asked).toEqual({ pay: 4, paid: 2, opened: 2 });
  });

  it.each(BEHIND)('its own answer behind it is what the call is told: %s', async (_, name, said, told) => {
    const { url, asked } = await bank(
      stream(
        (id) => `data: ${denied(null)}\n\nevent: ${name}\ndata: {"jsonrpc":"2.0","id":${id},${said}\n\n`,
      ),
    );
    const pay = await enter({ url });
    expect(JSON.stringify(await pay(5))).toContain(told);
    expect(asked.pay).toBe(1);
  });

  it.each([
    ['of its sessions', denied],
    ['of what it does first', unopened(-32_000, 'Paid before initialization of the mail')],
    ['of whom it asks', unopened(-32_002, 'Server not initialized')],
  ])('a session that its server knows is kept, whatever a tool says: %s', async (_, says) => {
    const { url, asked } = await browser(says);
    const pay = await enter({ url });
    await pay(5);
    await pay(6);
    expect(asked).toEqual({ calls: 2, opened: 1, pings: 2 });
  });
});
