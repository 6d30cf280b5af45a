/** A stream of a server over HTTP is taken up again by the caller whose stream it was, in the session it was sent in. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

type Headers = { readonly [name: string]: string };

const KEYS = [
  { name: 'ann', key: 'ann-key-12345678' },
  { name: 'bob', key: 'bob-key-12345678' },
];
const ANN: Headers = { authorization: 'Bearer ann-key-12345678' };
const BOB: Headers = { authorization: 'Bearer bob-key-12345678' };

/** A server that looks an event up wherever it was sent: one store of them for all of its sessions. */
async function forgetful(idOf: (nth: number) => string = (nth) => `e${nth}`, breaksAfterMs?: number) {
  const rest = new Map<string, string>();
  const taken: (string | undefined)[] = [];
  let opened = 0;
  const { url } = await upstream((said, response, request) => {
    const stream = (text: string): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    };
    if (request.method === 'GET') {
      const last = request.headers['last-event-id'];
      taken.push(last === undefined ? last : String(last));
      stream(rest.get(String(last)) ?? ': nothing\n\n');
      return;
    }
    const { id, method } = JSON.parse(said) as { id?: number; method: string };
    if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
      json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': `s${++opened}` });
    } else if (id === undefined) response.writeHead(202).end();
    else {
      const event = idOf(rest.size);
      const note = {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: 'note' },
      };
      const answer = { jsonrpc: '2.0', id, result: { content: ['the answer'] } };
      rest.set(
        event,
        `data: ${JSON.stringify(note)}\nid: ${event}x\n\nid: ${event}y\ndata: ${JSON.stringify(answer)}\n\n`,
      );
      if (breaksAfterMs === undefined) return stream(`id: ${event}\ndata: \n\n`);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`id: ${event}\ndata: \n\n`);
      setTimeout(() => response.destroy(), breaksAfterMs);
    }
  });
  return { url, taken };
}

async function gatewayBefore(url: string, keys: readonly object[] = KEYS) {
  const gateway = await open({ keys: [...keys], upstreams: { h: { url } } } as Parameters<typeof open>[0]);
  const at = `${gateway.url}/h/mcp`;
  const session = async (by: Headers): Promise<Headers> => {
    const { headers } = await post(at, INITIALIZE, by);
    return { ...by, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  };
  /** The id of the event with which the stream of a call ends. */
  const cutOff = async (by: Headers): Promise<string> => {
    const { text } = await post(at, call('tools/call', { name: 'pay' }, 5), by);
    return /^id: (.*)$/m.exec(text)?.[1] ?? '';
  };
  const resume = async (by: Headers, event: string) => {
    const response = await fetch(at, {
      headers: { accept: 'text/event-stream', ...by, 'last-event-id': event },
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      ids: [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? ''),
    };
  };
  return { gateway, at, session, cutOff, resume };
}

it('whoever was sent an event takes its stream up again, as often as it breaks', async () => {
  const { url, taken } = await forgetful();
  const { session, cutOff, resume } = await gatewayBefore(url);
  const ann = await session(ANN);
  const first = await resume(ann, await cutOff(ann));
  expect([first.status, first.text]).toEqual([200, expect.stringContaining('the answer')]);
  for (const id of first.ids) expect((await resume(ann, id)).status).toBe(200);
  expect(taken).toEqual(['e0', 'e0x', 'e0y']);
});

it.each([50, 600])('and so where its connection breaks after %i ms', async (breaksAfterMs) => {
  const server = await forgetful(undefined, breaksAfterMs);
  const { at, session, resume } = await gatewayBefore(server.url);
  const ann = await session(ANN);
  const { text } = await post(at, call('tools/call', { name: 'pay' }, 5), ann);
  expect(text).toMatch(/^id: .*\ndata: ?\n\n$/);
  const taken = await resume(ann, /^id: (.*)$/m.exec(text)?.[1] ?? '');
  expect(taken.status).toBe(200);
  expect(taken.text).toContain('the answer');
});

it('one that breaks outside of a session is lost', async () => {
  const server = await forgetful(undefined, 50);
  const { at } = await gatewayBefore(server.url);
  const answer = await post(at, call('tools/call', { name: 'pay' }, 5), ANN);
  expect(faultIn(answer)).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
});

it('the event of another caller is refused, in a session of one’s own and without one, and the log says so', async () => {
  const { url, taken } = await forgetful();
  const { gateway, session, cutOff, resume } = await gatewayBefore(url);
  const [ann, bob] = [await session(ANN), await session(BOB)];
  const event = await cutOff(ann);
  const own = (await cutOff(bob)).replace('e1', 'e0');
  for (const by of [bob, BOB])
    for (const id of ['e0', event, own, `${event}, ${event}`, `e0.${'A'.repeat(24)}`]) {
      const { status, text } = await resume(by, id);
      expect([id, status]).toEqual([id, 400]);
      expect(text).toContain('"invalid_request"');
      expect(text).not.toContain('the answer');
    }
  expect(taken).toEqual([]);
  expect(gateway.logs.join('\n')).toContain('invalid_request');
});

it('and so is one of another session of the same caller', async () => {
  const { url, taken } = await forgetful();
  const { session, cutOff, resume } = await gatewayBefore(url);
  const [one, other] = [await session(ANN), await session(ANN)];
  const event = await cutOff(one);
  expect([(await resume(other, event)).status, (await resume(ANN, event)).status, taken]).toEqual([
    400,
    400,
    [],
  ]);
});

it('an event says nothing of a stream in what is posted either', async () => {
  const { url } = await forgetful();
  const { at, session, cutOff } = await gatewayBefore(url);
  const [ann, bob] = [await session(ANN), await session(BOB)];
  const event = await cutOff(ann);
  const posted = await post(at, call('tools/call', { name: 'pay' }, 6), { ...bob, 'last-event-id': event });
  expect([posted.status, faultIn(posted)?.['kind']]).toEqual([400, 'invalid_request']);
});

it.each(['grüße', 'a b', '$&', 'x.y', '"q"'])('an event may be called %s', async (name) => {
  const { url, taken } = await forgetful(() => name);
  const { session, cutOff, resume } = await gatewayBefore(url);
  const ann = await session(ANN);
  expect((await resume(ann, await cutOff(ann))).text).toContain('the answer');
  expect(taken).toEqual([name]);
});

it('the ids of events stay as they are where callers are not told apart', async () => {
  const { url, taken } = await forgetful();
  const { session, cutOff, resume } = await gatewayBefore(url, []);
  const anybody = await session({});
  expect(await cutOff(anybody)).toBe('e0');
  expect((await resume(anybody, 'e0')).text).toContain('the answer');
  expect(taken).toEqual(['e0']);
});
