/** What a call uses, as the server will read it: found in its bytes, which are what the server gets. */
import { decode, isMembers, locate, textAt, type WireCall } from '@mayday/relay';

/** Something that is used. */
export interface Use {
  readonly type: 'tool' | 'prompt' | 'resource';
  /** The name that its upstream has for it; of a resource its URI. */
  readonly name: string;
  /** It is called or read, and not only asked about. */
  readonly isCall: boolean;
}

const CALLS: { readonly [method: string]: Use['type'] } = {
  'tools/call': 'tool',
  'prompts/get': 'prompt',
  'resources/read': 'resource',
};

/** The tool, prompt or resource that a call is about; `undefined` where it is about none. */
export function useOf({ method, body, peek }: WireCall): Use | undefined {
  const type = Object.hasOwn(CALLS, method) ? CALLS[method] : undefined;
  if (type !== undefined) {
    const { name, uri } = peek.deciding;
    return used(type, textAt(body, type === 'resource' ? uri : name), true);
  }
  if (method === 'resources/subscribe') return used('resource', textAt(body, peek.deciding.uri), false);
  if (method !== 'completion/complete') return undefined;
  const range = locate(body, peek.paramsStart, 'ref');
  const ref = range === undefined ? undefined : decode(body.subarray(range.start, range.end));
  if (!isMembers(ref)) return undefined;
  return used('resource', ref['uri'], false) ?? used('prompt', ref['name'], false);
}

function used(type: Use['type'], name: unknown, isCall: boolean): Use | undefined {
  return typeof name === 'string' ? { type, name, isCall } : undefined;
}
