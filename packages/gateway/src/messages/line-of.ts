/** In which line a request waits for its turn: those before one server keep nobody waiting who asks another. */
import { decode, locate } from '@mayday/relay';
import { matchRoute } from '../http/routes.ts';
import type { Setup } from '../setup.ts';
import type { DoorMessage } from './message-request.ts';

/** What is served, and what at the root. */
interface Served {
  readonly setup: () => { readonly settings: Pick<Setup['settings'], 'upstreams' | 'virtual'> };
  readonly root?: string | undefined;
}

/**
 * The line of a request; none where it never waits. What it is for is told by its name alone, as far as that goes: a tool
 * whose name says nothing about its server has a line of its own.
 */
export function lineOf(
  { body, peek }: DoorMessage,
  path: string,
  { setup, root }: Served,
): string | undefined {
  if (peek.method === 'ping') return undefined;
  const { upstreams, virtual } = setup().settings;
  const target = matchRoute(path)?.upstream ?? root;
  if (target !== undefined && upstreams.has(target)) return target;
  const text = (...steps: readonly string[]): string | undefined => {
    const at = locate(body, peek.paramsStart, ...steps);
    const value = at === undefined ? undefined : decode(body.subarray(at.start, at.end));
    return typeof value === 'string' ? value : undefined;
  };
  const said = text('name') ?? text('ref', 'name');
  const name = said === CALL_TOOL ? (text('arguments', 'name') ?? said) : said;
  if (name !== undefined) {
    const renamed = Object.entries(virtual.get(target ?? '')?.rename ?? {}).find(
      ([, shown]) => shown === name,
    );
    const own = renamed?.[0] ?? name;
    return longest([...upstreams.keys()].filter((upstream) => own.startsWith(upstream))) ?? `tool ${own}`;
  }
  const uri = text('uri') ?? text('ref', 'uri');
  return uri === undefined ? peek.method : `uri ${uri.slice(0, uri.indexOf(':') + 1)}`;
}

/** The tool that calls others, where tools are searched for. */
const CALL_TOOL = 'call_tool';

function longest(names: readonly string[]): string | undefined {
  return names.reduce<string | undefined>(
    (found, name) => (found === undefined || name.length > found.length ? name : found),
    undefined,
  );
}
