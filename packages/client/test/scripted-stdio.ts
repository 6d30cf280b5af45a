/** A stdio server that misbehaves as its first argument says. Started by tests as a process of its own. */
import { createInterface } from 'node:readline';
import { BUSY_RESULT } from './declared.ts';

const misbehaviour = process.argv[2] ?? '';
/** How long it takes to start. */
const startMs = Number(process.argv[3] ?? 0);

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

function say(message: unknown): void {
  process.stdout.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
}

function result(id: number | undefined, text: string): unknown {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

function refused(id: number | undefined): unknown {
  return { jsonrpc: '2.0', id, error: { code: -32602, message: 'Invalid params' } };
}

function unknownTool(id: number | undefined): unknown {
  return { jsonrpc: '2.0', id, error: { code: -32602, message: 'Unknown tool' } };
}

function declared(id: number | undefined): unknown {
  return { jsonrpc: '2.0', id, result: BUSY_RESULT };
}

const LOG = {
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'card charged' },
};

/** In one piece. */
function both(...messages: readonly unknown[]): void {
  say(linesOf(messages));
}

function linesOf(messages: readonly unknown[]): string {
  const lines = messages.map((message) => (typeof message === 'string' ? message : JSON.stringify(message)));
  return lines.join('\n');
}

/** Declares that nothing was done, and says something else later, but before the call is made again. */
function later(id: number | undefined, tell: (answer: string) => void): void {
  say(declared(id));
  setTimeout(() => tell(JSON.stringify(result(id, 'paid'))), 100);
}

const misbehave: { readonly [name: string]: (id: number | undefined) => void } = {
  dies: () => process.exit(1),
  silent: () => undefined,
  garbage: (id) => {
    say('{ not json');
    say('[]');
    say(result(id, 'after garbage'));
  },
  twice: (id) => {
    say(result(id, 'first'));
    say(result(id, 'second'));
  },
  'wrong-id': () => say(result(999_999, 'for somebody else')),
  huge: (id) => {
    const text = 'x'.repeat(10_000_000);
    say({ jsonrpc: '2.0', id, error: { code: -32603, message: text } });
  },
  'error-without-words': (id) => say({ jsonrpc: '2.0', id, error: { code: -32603 } }),
  'error-without-id': () => say({ jsonrpc: '2.0', error: { code: -32600, message: 'Invalid Request' } }),
  'error-then-answer': (id) => {
    say({ jsonrpc: '2.0', id: null, error: { code: -32603, message: 'mail queue hiccup' } });
    setTimeout(() => say(result(id, 'paid')), 100);
  },
  'log-then-answer': (id) => {
    say({ error: 'mail failed, will retry', level: 'error' });
    setTimeout(() => say(result(id, 'paid')), 100);
  },
  'notification-then-answer': (id) => {
    const message = 'Method not found: notifications/initialized';
    say({ jsonrpc: '2.0', id: null, error: { code: -32601, message } });
    setTimeout(() => say(result(id, 'paid')), 100);
  },
  'notification-then-nothing': () => {
    const message = 'Method not found: notifications/initialized';
    say({ jsonrpc: '2.0', id: null, error: { code: -32601, message } });
  },
  'error-as-text': (id) => say({ jsonrpc: '2.0', id, error: 'Payment pay_7 booked, mail failed' }),
  'null-result': (id) => say({ jsonrpc: '2.0', id, result: null }),
  'member-more': (id) => say({ ...(result(id, 'done') as object), x: 1 }),
  'no-version': (id) => say({ id, result: { content: [{ type: 'text', text: 'done' }] } }),
  bom: (id) => say(`\uFEFF${JSON.stringify(result(id, 'done'))}`),
  refuses: (id) => say(refused(id)),
  'unknown-tool': (id) => say(unknownTool(id)),
  'progress-refuses': (id) => {
    const params = { progressToken: 'p', progress: 1, message: 'card charged' };
    say({ jsonrpc: '2.0', method: 'notifications/progress', params });
    say(refused(id));
  },
  'log-refuses': (id) => {
    say({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'card charged' } });
    say(refused(id));
  },
  declares: (id) => say(declared(id)),
  'log-declares': (id) => {
    say({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'card charged' } });
    say(declared(id));
  },
  'changed-refuses': (id) => {
    say({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' });
    say(refused(id));
  },
  'resources-refuse': (id) => {
    say({ jsonrpc: '2.0', method: 'notifications/resources/list_changed' });
    say(refused(id));
  },
  'cancelled-refuses': (id) => {
    const params = { requestId: id, reason: 'already paid' };
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    say(refused(id));
  },
  'ends-output': () => {
    process.stdout.end();
    setTimeout(() => undefined, 60_000);
  },
  'question-refuses': (id) => {
    say({ jsonrpc: '2.0', id: 'q1', method: 'roots/list' });
    say(refused(id));
  },
  'declares-answers': (id) => both(declared(id), result(id, 'paid')),
  'declares-answers-5': (id) => {
    say(declared(id));
    setTimeout(() => say(result(id, 'paid')), 5);
  },
  'declares-answers-before-retry': (id) => {
    say(declared(id));
    setTimeout(() => say(result(id, 'paid')), 100);
  },
  'declares-dies-before-retry': (id) => later(id, () => process.exit(1)),
  'declares-half-answers-before-retry': (id) => later(id, (text) => process.stdout.write(text.slice(0, 40))),
  'declares-cut-answers-before-retry': (id) => later(id, (text) => say(text.slice(0, -9))),
  'declares-batch-answers-before-retry': (id) => later(id, (text) => say(`[${text}]`)),
  'declares-logs-before-retry': (id) => later(id, () => say(LOG)),
  'declares-cut-logs-before-retry': (id) => later(id, () => say(JSON.stringify(LOG).slice(0, -9))),
  'declares-prints-before-retry': (id) => later(id, () => say('card charged')),
  'declares-begins': (id) => process.stdout.write(`${JSON.stringify(declared(id))}\n{`),
  'declares-half-answers': (id) =>
    process.stdout.write(linesOf([declared(id), result(id, 'paid')]).slice(0, -20)),
  'declares-half-prints-before-retry': (id) => later(id, () => process.stdout.write('card cha')),
  'declares-half-logs-before-retry': (id) =>
    later(id, () => process.stdout.write(JSON.stringify(LOG).slice(0, 40))),
  'declares-blanks-before-retry': (id) => later(id, () => process.stdout.write(' \r')),
  'declares-marked-logs-before-retry': (id) => later(id, () => say(`\uFEFF${JSON.stringify(LOG)}`)),
  'declares-zeroes-before-retry': (id) => later(id, () => say('\0\0')),
  'declares-zero-logs-before-retry': (id) => later(id, () => say(`\0${JSON.stringify(LOG)}`)),
  'declares-old-logs-before-retry': (id) => later(id, () => say({ ...LOG, jsonrpc: '1.0' })),
  'declares-nameless-before-retry': (id) => later(id, () => say({ jsonrpc: '2.0', result: {} })),
  'declares-nameless-error-before-retry': (id) =>
    later(id, () => say({ jsonrpc: '2.0', id: null, error: { code: -32603, message: 'no receipt' } })),
  'marked-declares': (id) => say(`\uFEFF${JSON.stringify(declared(id))}`),
  'old-declares': (id) => say({ ...(declared(id) as object), jsonrpc: '1.0' }),
  'marked-log-declares': (id) => both(`\uFEFF${JSON.stringify(LOG)}`, declared(id)),
  'old-log-declares': (id) => both({ ...LOG, jsonrpc: '1.0' }, declared(id)),
  'refuses-answers': (id) => both(refused(id), result(id, 'paid')),
  'refuses-refuses': (id) => both(refused(id), refused(id)),
  'refuses-logs': (id) => both(refused(id), LOG),
  'refuses-asks': (id) => both(refused(id), { jsonrpc: '2.0', id: 'q1', method: 'roots/list' }),
  'stranger-refuses': (id) => both(result(999_999, 'for somebody else'), refused(id)),
  'refuses-stranger': (id) => both(refused(id), result(999_999, 'for somebody else')),
  'garbage-refuses': (id) => both('{ not json', refused(id)),
  'declares-batch-answers': (id) => both(declared(id), [result(id, 'paid')]),
  'refuses-batch-answers': (id) => both(refused(id), [result(id, 'paid')]),
  'batch-answers-declares': (id) => both([result(id, 'paid')], declared(id)),
  'refuses-batch-logs': (id) => both(refused(id), [LOG]),
  'empty-batch-refuses': (id) => both([], refused(id), []),
  pid: (id) => say(result(id, String(process.pid))),
};

const LISTS: { readonly [method: string]: object } = {
  'prompts/list': { prompts: [{ name: 'greet' }] },
  'resources/list': { resources: [{ uri: 'file:///a', name: 'a' }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'file:///{name}', name: 'any' }] },
};

/** Whose caller has heard enough not to call again. */
const AGAIN = /-(?:answers|begins|half)/;

let calls = 0;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (misbehaviour === 'no-handshake') process.exit(3);
  if (method === 'initialize') {
    const info = { name: 'scripted', version: '1.0.0' };
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    const opened = { protocolVersion: '2025-11-25', capabilities, serverInfo: info };
    setTimeout(() => say({ jsonrpc: '2.0', id, result: opened }), startMs);
  } else if (method === 'tools/list') {
    const tools = [{ name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
    say({ jsonrpc: '2.0', id, result: { tools } });
  } else if (LISTS[method] !== undefined) {
    say({ jsonrpc: '2.0', id, result: LISTS[method] });
  } else if (method === 'tools/call') {
    calls += 1;
    // Who was refused and answered at once comes back only where the second answer was not heard.
    if (calls > 1 && AGAIN.test(misbehaviour)) say(`\n${JSON.stringify(result(id, 'again'))}`);
    else misbehave[params?.name === 'pid' ? 'pid' : misbehaviour]?.(id);
  }
});
