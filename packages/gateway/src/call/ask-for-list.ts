/** Lists that the gateway asks for itself, in the name of whoever called: as the caller itself would have asked. */
import { type Failed, startCall } from '@mayday/policy';
import {
  CallEnded,
  decodeInTurns,
  encode,
  isMembers,
  lost,
  type Members,
  peek,
  resultOf,
  splitEvents,
  type Wire,
  type WireCall,
  type WireHandler,
  type WireOutcome,
} from '@mayday/relay';
import { SilentBack } from '../upstreams/silent-back.ts';
import { NO_LIST } from './sound-list.ts';

/** Lists that name what can be called, or asked for. */
export type Listing = 'tools' | 'prompts' | 'tasks';

/** What a list holds. */
export interface Listed {
  readonly items: readonly Members[];
  /** What is said beside the items. */
  readonly meta: Members | undefined;
  /** What kept the list from coming to its end: never an answer, which would be one to a question of ours. */
  readonly failed: Failed<Wire> | undefined;
  /** It goes on without end, or in circles, or its cursors are none. */
  readonly isCut: boolean;
}

const MAX_PAGES = 1000;
const MAX_ITEMS = 20_000;

/** The whole list, page by page, as far as it comes in time. */
export async function askForList(
  next: WireHandler,
  call: WireCall,
  listing: Listing,
  patienceMs: number,
): Promise<Listed> {
  const ender = new AbortController();
  const stop = (): void => ender.abort(call.signal.reason);
  call.signal.addEventListener('abort', stop);
  const late = setTimeout(() => ender.abort(new CallEnded(tooLate(listing))), patienceMs);
  const items: Members[] = [];
  const seen = new Set<string>();
  let meta: Members | undefined;
  let failed: Listed['failed'];
  let cursor: string | undefined;
  let isCut = false;
  try {
    for (let page = 0; page < MAX_PAGES && items.length < MAX_ITEMS; page++) {
      const outcome = await next(listQuestion(call, listing, cursor, ender.signal));
      const result = await resultIn(outcome, listing);
      if (result === undefined) {
        failed = outcome.ok ? lost(call, NO_LIST) : outcome;
        isCut = false;
        break;
      }
      const found = result[listing];
      for (const item of Array.isArray(found) ? found : []) if (isMembers(item)) items.push(item);
      if (isMembers(result['_meta'])) meta = { ...meta, ...result['_meta'] };
      const following = result['nextCursor'] ?? undefined;
      isCut = following !== undefined;
      if (typeof following !== 'string' || seen.has(following)) break;
      seen.add(following);
      cursor = following;
    }
  } finally {
    clearTimeout(late);
    call.signal.removeEventListener('abort', stop);
  }
  return { items, meta, failed, isCut };
}

let nextId = 1;

/** One page of a list, as the caller itself would have asked for it. */
export function listQuestion(
  call: WireCall,
  listing: Listing,
  cursor: string | undefined,
  signal: AbortSignal,
): WireCall {
  const method = `${listing}/list`;
  const params: { [key: string]: unknown } = cursor === undefined ? {} : { cursor };
  const meta = protocolMeta(call.meta);
  if (meta !== undefined) params['_meta'] = meta;
  const body = encode({ jsonrpc: '2.0', id: `mayday-${listing}-${nextId++}`, method, params });
  const rawHeaders = headersOf(call.rawHeaders, method);
  return startCall<WireCall>({
    ...call,
    body,
    peek: peek(body),
    method,
    params: () => params,
    meta: undefined,
    target: undefined,
    headers: byName(rawHeaders),
    rawHeaders,
    signal,
    back: new SilentBack(),
  });
}

/** What the protocol wants beside every question; what else stands there is about the call alone. */
export function protocolMeta(meta: Members | undefined): Members | undefined {
  const kept = Object.entries(meta ?? {}).filter(([key]) => key.startsWith('io.modelcontextprotocol/'));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** What the headers repeat of the message is another message's now. */
function headersOf(raw: readonly string[], method: string): readonly string[] {
  const headers: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = '', value = ''] = [raw[i]?.toLowerCase(), raw[i + 1]];
    if (name === 'mcp-method') headers.push(name, method);
    else if (name !== 'mcp-name' && !name.startsWith('mcp-param-')) headers.push(name, value);
  }
  return headers;
}

function byName(raw: readonly string[]): { [name: string]: string } {
  const headers: { [name: string]: string } = {};
  for (let i = 0; i + 1 < raw.length; i += 2) headers[raw[i] ?? ''] = raw[i + 1] ?? '';
  return headers;
}

const made = new WeakMap<Buffer, Members>();

/** Remembers what an answer of the gateway's own was made of, as long as somebody has use for the answer. */
export function rememberResult(answer: Buffer, result: Members): void {
  made.set(answer, result);
}

/** The result in an answer, where there is one. */
export async function resultIn(outcome: WireOutcome, listing: Listing): Promise<Members | undefined> {
  if (!outcome.ok || outcome.value.type !== 'answer') return undefined;
  const { body, isStream } = outcome.value;
  const known = made.get(body);
  if (known !== undefined) return known;
  for (const bytes of isStream ? splitEvents(body).map((event) => event.data) : [body]) {
    const message = await decodeInTurns(bytes, listing);
    if (isMembers(message) && 'result' in message) return resultOf(message);
  }
  return undefined;
}

function tooLate(listing: Listing): ConstructorParameters<typeof CallEnded>[0] {
  return { kind: 'timeout', origin: 'gateway', message: `The ${listing} were not listed in time` };
}
