/** Servers that answer notifications, which nobody does: it ends no call that they are still working on. */
import { afterEach, describe, expect, it } from 'vitest';
import { ask, message, request } from '../../test/tools.ts';
import { StdioLink } from './stdio-link.ts';

const open: StdioLink[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((link) => link.close()));
});

/** Answers everything it does not know without an id, or with `null` as one; `mute` closes its output and lives on. */
const NAIVE = `
  const say = (said) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const error = { code: -32601, message: 'Method not found: ' + method };
    if (method === 'slow') setTimeout(() => say({ id, result: { done: true } }), params.ms);
    else if (method === 'mute') require('node:fs').closeSync(1);
    else if (method === 'bare') setTimeout(() => say({ error: { code: -32700, message: 'no seat left' } }), params.ms);
    else if (method === 'exit') { say({ error: { code: -32700, message: 'no seat left' } }); setTimeout(() => process.exit(3), 100); }
    else if (process.argv[1] === 'null') say({ id: null, error });
    else if (process.argv[1] === 'late') setTimeout(() => say({ error }), 200);
    else say({ error });
  });
  setInterval(() => {}, 1000);
`;

function connect(shared: boolean, form = 'none'): { link: StdioLink; notes: string[] } {
  const notes: string[] = [];
  const link = new StdioLink({
    command: process.execPath,
    args: ['-e', NAIVE, form],
    shared,
    onMessage: () => {},
    onNote: (note) => notes.push(note),
  });
  open.push(link);
  return { link, notes };
}

describe.each([
  ['a process of its own', false],
  ['a shared process', true],
])('%s', (_name, shared) => {
  it.each(['none', 'null'])('answers the call, whatever it says to notifications (id: %s)', async (form) => {
    const { link, notes } = connect(shared, form);
    link.send(message({ method: 'notifications/initialized' }));
    const running = ask(link, request('slow', { ms: 250 }));
    link.send(message({ method: 'notifications/roots/list_changed' }));
    link.send(message({ method: 'notifications/foo' }));
    expect((await running).answer?.result).toEqual({ done: true });
    expect(notes.filter((note) => note.includes('answered a notification')).length).toBeGreaterThan(0);
  });

  it('answers the call, however late it answers the notification, and after good answers', async () => {
    const { link } = connect(shared, 'late');
    link.send(message({ method: 'notifications/initialized' }));
    expect((await ask(link, request('slow', { ms: 1 }))).answer?.result).toEqual({ done: true });
    link.send(message({ method: 'notifications/foo' }));
    expect((await ask(link, request('slow', { ms: 1 }))).answer?.result).toEqual({ done: true });
    expect((await ask(link, request('slow', { ms: 500 }))).answer?.result).toEqual({ done: true });
  });

  it('an error that names nothing is kept beside the call that waits, soon after a notification', async () => {
    const { link, notes } = connect(shared);
    await ask(link, request('slow', { ms: 1 }));
    link.send(message({ method: 'notifications/initialized' }));
    await ask(link, request('slow', { ms: 50 }));
    link.send(message({ method: 'exit' })); // it says something bare that nobody asked for
    const heard: unknown[] = [];
    const lost = await new Promise((resolve) => {
      link.request(request('slow', { ms: 60_000 }), {
        answered: resolve,
        related: () => {},
        lost: resolve,
        overheard: (words) => heard.push(words),
      });
    });
    expect(lost).toMatchObject({ kind: 'disconnected' });
    expect(heard).toEqual([shared ? undefined : 'no seat left']);
    expect(notes).toContain('sent an error that names no request, soon after a notification: no seat left');
  });

  it('a call that ends without an answer does not take that of the next', async () => {
    const { link } = connect(shared);
    await ask(link, request('slow', { ms: 1 }));
    link.send(message({ method: 'slow', params: { ms: 1 } })); // it says no error to this one
    const cancel = link.request(request('bare', { ms: 1 }), {
      answered: () => {},
      related: () => {},
      lost: () => {},
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    cancel('it took too long');
    const { answer, lost } = await ask(link, request('bare', { ms: 1 }));
    expect(answer?.error?.code ?? lost?.executed).toBe(shared ? 'maybe' : -32700);
  });

  it('an error that names what was called is its answer, also soon after a notification', async () => {
    const { link } = connect(shared);
    await ask(link, request('slow', { ms: 1 }));
    link.send(message({ method: 'notifications/initialized' }));
    link.send(message({ method: 'slow', params: { ms: 1 } }));
    const { answer, lost } = await ask(link, request('nope/what'));
    expect(answer?.error?.code ?? lost?.executed).toBe(shared ? 'maybe' : -32601);
  });

  it('answers the call while another one is given up', async () => {
    const { link } = connect(shared);
    const cancel = link.request(request('slow', { ms: 60_000 }), {
      answered: () => {},
      related: () => {},
      lost: () => {},
    });
    const running = ask(link, request('slow', { ms: 250 }));
    cancel('nobody waits');
    expect((await running).answer?.result).toEqual({ done: true });
  });

  it('is told at once what a server answers without an id, where nothing else was said', async () => {
    const { link } = connect(shared);
    expect((await ask(link, request('slow', { ms: 1 }))).answer?.result).toEqual({ done: true });
    const { answer, lost, isGuess } = await ask(link, request('nope'));
    expect(answer?.error?.code ?? lost?.executed).toBe(shared ? 'maybe' : -32601);
    expect(isGuess).toBe(shared ? undefined : true);
  });

  it('is told when the process has closed its output and lives on', async () => {
    const { link } = connect(shared);
    const { lost } = await ask(link, request('mute'));
    expect(lost?.executed).toBe('maybe');
  });
});
