import { afterEach, expect, it } from 'vitest';
import { ask, message, request, STDIO_SERVER } from '../../test/tools.ts';
import { decode } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import { StdioLink } from './stdio-link.ts';
import type { StdioLinkOptions } from './stdio-options.ts';

let open: StdioLink[] = [];
let clock = 1_000_000;
const notes: string[] = [];
const unasked: unknown[] = [];

function connect(options: Partial<StdioLinkOptions> = {}): StdioLink {
  const link = new StdioLink({
    ...STDIO_SERVER,
    onMessage: (bytes) => unasked.push(decode(bytes)),
    onNote: (note) => notes.push(note),
    now: () => clock,
    ...options,
  });
  open.push(link);
  return link;
}

afterEach(async () => {
  await Promise.all(open.map((link) => link.close()));
  open = [];
  notes.length = 0;
  unasked.length = 0;
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

it('answers many requests with their own ids', async () => {
  const link = connect();
  const ids = ['a', 7, 'a"b', -1, 'a'];
  const outcomes = await Promise.all(ids.map((id, i) => ask(link, request('echo', { say: i }, id))));
  expect(outcomes.map(({ answer }) => [answer?.id, answer?.result?.['said']])).toEqual(
    ids.map((id, i) => [id, i]),
  );
});

it('takes line breaks out of a request', async () => {
  const link = connect();
  const body = Buffer.from('{\n  "method": "echo",\r\n  "params": {"say": "hi"},\n  "id": 9\n}');
  const { answer } = await ask(link, { body, peek: peek(body), revision: '2025-11-25' });
  expect(answer).toMatchObject({ id: 9, result: { said: 'hi' } });
});

it('loses what was open when the process dies, and starts it again', async () => {
  const link = connect();
  await ask(link, request('echo'));
  const { lost } = await ask(link, request('crash'));
  expect(lost).toMatchObject({ kind: 'disconnected', origin: 'upstream' });
  expect(lost?.message).toContain('exit code 3');
  expect((await ask(link, request('echo', { say: 'back' }))).answer?.result).toEqual({ said: 'back' });
});

it('opens the conversation again with a new process', async () => {
  const link = connect();
  await ask(link, request('initialize', {}));
  link.send(message({ method: 'notifications/initialized' }));
  await ask(link, request('crash'));
  expect((await ask(link, request('opened'))).answer?.result).toEqual({ initialized: 2 });
});

async function opened(): Promise<StdioLink> {
  const link = connect();
  await ask(link, request('initialize', {}));
  link.send(message({ method: 'notifications/initialized' }));
  return link;
}

/** What the process has heard so far: methods, and the ids of what was made again. */
async function heard(link: StdioLink): Promise<unknown[]> {
  const { answer } = await ask(link, request('heard'));
  const lines = (answer?.result?.['lines'] ?? []) as string[];
  return lines.map((line) => (JSON.parse(line) as { method: string }).method);
}

it('asks a new process again for what lasts, before anything that waits', async () => {
  const link = await opened();
  await ask(link, request('logging/setLevel', { level: 'debug' }));
  for (const uri of ['test://1', 'test://2', 'test://refused']) {
    await ask(link, request('resources/subscribe', { uri }));
  }
  await ask(link, request('resources/unsubscribe', { uri: 'test://1' }));
  await ask(link, request('crash'));
  expect(await heard(link)).toEqual([
    'initialize',
    'notifications/initialized',
    'logging/setLevel',
    'resources/subscribe',
    'heard',
  ]);
});

it('does so for a client that never said that it has heard the answer to its opening', async () => {
  const link = connect();
  await ask(link, request('initialize', {}));
  await ask(link, request('logging/setLevel', { level: 'debug' }));
  await ask(link, request('crash'));
  expect(await heard(link)).toEqual(['initialize', 'logging/setLevel', 'heard']);
});

it('starts a process again that somebody listens to', async () => {
  const link = await opened();
  await ask(link, request('resources/subscribe', { uri: 'test://1' }));
  const { pid } = link;
  await ask(link, request('crash'));
  await until(() => link.pid !== undefined && link.pid !== pid);
  expect(await heard(link)).toEqual([
    'initialize',
    'notifications/initialized',
    'resources/subscribe',
    'heard',
  ]);
});

it('leaves one alone that nobody listens to, and one that is closed', async () => {
  const link = await opened();
  await ask(link, request('logging/setLevel', { level: 'debug' }));
  await ask(link, request('crash'));
  const other = await opened();
  await ask(other, request('resources/subscribe', { uri: 'test://1' }));
  const lost = ask(other, request('crash'));
  await Promise.all([lost, other.close()]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([link.pid, other.pid]).toEqual([undefined, undefined]);
});

it('does not open a conversation again that the client opens itself', async () => {
  const link = connect();
  await ask(link, request('initialize', {}));
  link.send(message({ method: 'notifications/initialized' }));
  await ask(link, request('crash'));
  await ask(link, request('initialize', {}));
  expect((await ask(link, request('opened'))).answer?.result).toEqual({ initialized: 1 });
});

it('waits longer each time the process ends without having answered', async () => {
  const link = connect({ args: ['-e', 'process.exit(1)'] });
  const first = await ask(link, request('echo'));
  const second = await ask(link, request('echo'));
  const third = await ask(link, request('echo'));
  expect([first.lost?.kind, second.lost?.kind, third.lost?.kind]).toEqual([
    'disconnected',
    'disconnected',
    'unavailable',
  ]);
  expect(third.lost).toMatchObject({
    retry: { afterMs: 250 },
    executed: 'no',
    message: 'The server ended when it was started (exit code 1); it is not started again yet',
  });
  clock += 250;
  await ask(link, request('echo'));
  expect((await ask(link, request('echo'))).lost).toMatchObject({ retry: { afterMs: 500 } });
});

it('says that a command does not exist', async () => {
  const { lost } = await ask(connect({ command: 'no-such-command-anywhere', args: [] }), request('echo'));
  expect(lost).toMatchObject({ kind: 'misconfigured', origin: 'gateway' });
});

it('answers for a server whose answer is malformed', async () => {
  const { lost } = await ask(connect(), request('garble'));
  expect(lost).toMatchObject({ kind: 'invalid_output', origin: 'upstream' });
});

it('ignores what a server prints between its messages', async () => {
  expect((await ask(connect(), request('noise'))).answer?.result).toEqual({});
  expect(notes.join()).toContain('Server is running');
});

it('skips a message that is too large, and the server lives', async () => {
  const link = connect({ maxMessageBytes: 100_000 });
  const { lost } = await ask(link, request('big', { bytes: 1_000_000 }));
  expect(lost).toMatchObject({
    kind: 'invalid_output',
    origin: 'gateway',
    message: "The server's answer is larger than the gateway's limit of 100000 bytes",
  });
  expect(notes).toContain('wrote a message of more than 100000 bytes; it was skipped');
  const pid = link.pid;
  expect((await ask(link, request('pid'))).answer?.result).toEqual({ pid });
});

it.each([false, true])('ends a process that writes a line without end (shared: %s)', async (shared) => {
  const link = connect({ maxMessageBytes: 100_000, shared });
  const { answer } = await ask(link, request('pid', {}, 'before'));
  const slow = ask(link, request('deaf', {}, 'slow'));
  const { lost } = await ask(link, request('endless', {}, 'endless'));
  for (const told of [lost, (await slow).lost])
    expect(told).toMatchObject({ kind: 'disconnected', origin: 'upstream', executed: 'maybe' });
  expect(notes).toContain('writes a line without end, and is ended');
  const after = await ask(link, request('pid', {}, 'after'));
  expect(after.answer?.result?.['pid']).toBeTypeOf('number');
  expect(after.answer?.result).not.toEqual(answer?.result);
});

it('ends it too where its answers to others end the line again and again', async () => {
  const link = connect({ maxMessageBytes: 100_000, shared: true });
  await ask(link, request('pid', {}, 'before'));
  const endless = ask(link, request('endless', {}, 'endless'));
  const told: unknown[] = [];
  while (told.at(-1) !== 'answered' && told.length < 10_000) {
    const { answer, lost } = await ask(link, request('echo', { say: 1 }, told.length + 1));
    told.push(answer === undefined ? lost?.executed : 'answered');
  }
  expect((await endless).lost).toMatchObject({ executed: 'maybe' });
  expect(notes).toContain('writes a line without end, and is ended');
  expect(new Set(told)).toEqual(new Set(['maybe', 'answered']));
});

it('carries ten megabytes', async () => {
  const { answer } = await ask(connect(), request('big', { bytes: 10_000_000 }));
  expect(String(answer?.result?.['text'])).toHaveLength(10_000_000);
});

it('brings progress to the request it belongs to', async () => {
  const { related, answer } = await ask(connect(), request('progress', { _meta: { progressToken: 'p' } }));
  expect(related).toMatchObject([{ method: 'notifications/progress', params: { progressToken: 'p' } }]);
  expect(answer?.result).toEqual({ done: true });
});

it('keeps the progress tokens of strangers apart', async () => {
  const link = connect({ shared: true });
  const both = await Promise.all(
    [1, 2].map((id) => ask(link, request('progress', { _meta: { progressToken: 'same' } }, id))),
  );
  expect(both.map(({ related }) => related.length)).toEqual([1, 1]);
  expect(both[0]?.related).toMatchObject([{ params: { progressToken: 'same' } }]);
});

it('carries a request of the server to the client and its answer back', async () => {
  const link = connect();
  const told = await new Promise((resolve) => {
    link.request(request('ask'), {
      answered: (bytes) => resolve(decode(bytes)),
      related: (bytes) => {
        const { id } = decode(bytes) as { id: string };
        link.send(message({ id, result: { role: 'assistant' } }));
      },
      lost: resolve,
    });
  });
  expect(told).toMatchObject({ id: 1, result: { told: { role: 'assistant' } } });
});

it('forwards a cancellation under the id that the server knows', async () => {
  const link = connect();
  const waiting = ask(link, request('deaf', {}, 'mine'));
  link.send(message({ method: 'notifications/cancelled', params: { requestId: 'mine' } }));
  expect((await waiting).lost?.kind).toBe('cancelled');
  expect((await ask(link, request('cancelled'))).answer?.result).toEqual({ cancelled: [1] });
});

it('turns calls away when too many wait', async () => {
  const link = connect({ maxPending: 1 });
  void ask(link, request('deaf'));
  expect((await ask(link, request('echo'))).lost).toMatchObject({ kind: 'overloaded', origin: 'gateway' });
});

it('leaves nobody behind when it is closed', async () => {
  const link = connect();
  const { answer } = await ask(link, request('orphan'));
  const pid = Number(answer?.result?.['pid']);
  const own = link.pid ?? 0;
  expect([isAlive(pid), isAlive(own)]).toEqual([true, true]);
  await link.close();
  await until(() => !isAlive(pid) && !isAlive(own));
});

it('gives the server no environment but what it needs', async () => {
  process.env['MAYDAY_TEST_SECRET'] = 'x';
  const { answer } = await ask(connect({ env: { GIVEN: 'y' } }), request('env'));
  const names = answer?.result?.['names'] as string[];
  expect(names).toContain('GIVEN');
  expect(names).toContain('PATH');
  expect(names).not.toContain('MAYDAY_TEST_SECRET');
});

it('reports standard error line by line', async () => {
  const lines: string[] = [];
  await ask(connect({ onStderr: (line) => lines.push(line) }), request('complain'));
  await until(() => lines.length > 0);
  expect(lines).toEqual(['a complaint']);
});
