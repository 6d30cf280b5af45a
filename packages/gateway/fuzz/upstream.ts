/** What both fuzzing servers have in common: they behave well unless a request carries a plan. */
import type { Act, Asked } from './hostile.ts';
import { type Random, randomFor } from './random.ts';

/** A request as far as a server understands it. */
export interface Understood {
  readonly id: string | undefined;
  readonly method: string | undefined;
  readonly asked: Asked;
  readonly text: string;
}

/** Takes a request apart; what cannot be parsed has neither id nor method. */
export function understood(text: string): Understood {
  const nothing = {
    id: undefined,
    method: undefined,
    asked: { id: 'null', token: 'null', calls: false },
    text,
  };
  try {
    const message = JSON.parse(text) as Record<string, unknown>;
    const params = (message['params'] ?? {}) as Record<string, { progressToken?: unknown }>;
    const id = message['id'] === undefined ? undefined : JSON.stringify(message['id']);
    const token = JSON.stringify(params['_meta']?.progressToken ?? null);
    const method = typeof message['method'] === 'string' ? message['method'] : undefined;
    return { id, method, asked: { id: id ?? 'null', token, calls: method === 'tools/call' }, text };
  } catch {
    return nothing;
  }
}

/** The acts that a request asks for: bytes given word for word, or the ones its plan stands for; undefined for the ordinary. */
export function planned(
  request: Understood,
  react: (random: Random, asked: Asked) => readonly Act[],
): readonly Act[] | undefined {
  const said = /"say":"([A-Za-z0-9+/=]+)"/.exec(request.text)?.[1] ?? inQuery(request.text);
  if (said !== undefined) return [{ bytes: wordForWord(Buffer.from(said, 'base64'), request.asked) }];
  const plan = /"plan":(\d+)/.exec(request.text)?.[1] ?? /[?&]plan=(\d+)/.exec(request.text)?.[1];
  return plan === undefined ? undefined : react(randomFor(Number(plan), 0), request.asked);
}

function inQuery(text: string): string | undefined {
  const said = /[?&]say=([A-Za-z0-9%]+)/.exec(text)?.[1];
  return said === undefined ? undefined : decodeURIComponent(said);
}

/** The ordinary result of a method. */
export function ordinary(request: Understood): string {
  const head = `{"jsonrpc":"2.0","id":${request.id},`;
  const result = RESULTS[request.method ?? ''];
  if (result === undefined) return `${head}"error":{"code":-32601,"message":"Method not found"}}`;
  return `${head}"result":${result.replace('$TEXT', () => echoed(request.text))}}`;
}

const CACHE = '"resultType":"complete","ttlMs":0,"cacheScope":"private"';
const ABILITIES = '"capabilities":{"tools":{},"resources":{},"prompts":{}}';
const TOOL = (name: string): string => `{"name":"${name}","inputSchema":{"type":"object"}}`;
const RESULTS: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  initialize: `{"protocolVersion":"2025-11-25",${ABILITIES},"serverInfo":{"name":"fuzz","version":"1"}}`,
  'server/discover': `{"supportedVersions":["2026-07-28"],${ABILITIES},${CACHE}}`,
  ping: '{}',
  'tools/list': `{"tools":[${TOOL('echo')},${TOOL('fuzz')}],${CACHE}}`,
  'tools/call': `{"resultType":"complete","content":[{"type":"text","text":"echo: $TEXT"}]}`,
  'resources/list': `{"resources":[{"uri":"test://1","name":"one"}],${CACHE}}`,
  'resources/templates/list': `{"resourceTemplates":[],${CACHE}}`,
  'resources/read': `{"contents":[],${CACHE}}`,
  'prompts/list': `{"prompts":[{"name":"hello"}],${CACHE}}`,
  'prompts/get': '{"resultType":"complete","messages":[]}',
});

function echoed(text: string): string {
  return /"text":"([A-Za-z0-9 -]*)"/.exec(text)?.[1] ?? '';
}

/** `$ID` and `$TOKEN` in bytes given word for word. */
function wordForWord(bytes: Buffer, asked: Asked): Buffer {
  const text = bytes.toString('latin1');
  return Buffer.from(
    text.replaceAll('$ID', () => asked.id).replaceAll('$TOKEN', () => asked.token),
    'latin1',
  );
}
