/** What each request of 2026-07-28 has to carry in its `_meta`, and what is wrong with it where the SDK says no. */
import { type FaultError, fault } from '@mayday/core';
import { CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, PROTOCOL_VERSION_KEY } from '@mayday/core/protocol';
import type { ErrorObject } from '../shapes.ts';
import { cut } from './cut.ts';
import type { RequestState } from './request-state.ts';

/** One thing that is wrong; without a key, with all of it. */
interface Part {
  readonly key?: string | undefined;
  readonly problem?: string | undefined;
}

/** The request is refused for its `_meta`: the SDK looks there before it asks any server. `undefined` where it says something else. */
export function wrongEnvelope(
  { message, data }: ErrorObject,
  { message: request }: RequestState,
): FaultError | undefined {
  if (!ENVELOPE.test(message)) return undefined;
  const named = isEnvelopeProblem(data) ? partsIn(data.envelope) : wrongParts(request.params?.['_meta']);
  const issues = named.map(({ key, problem }) => ({
    path: ['params', '_meta', ...(key === undefined ? [] : [cut(key)])],
    message: problem === undefined ? 'required' : cut(problem),
    code: problem === undefined ? 'required' : 'invalid_type',
  }));
  if (issues.length === 0) return undefined;
  const words = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return fault.invalidArguments(words, { subject: { type: 'message' }, issues });
}

const ENVELOPE =
  /^Invalid params: the MCP-Protocol-Version header names |^Invalid _meta envelope(?: for |: )|^Request is missing the required _meta envelope /;

/** Does the SDK say in `data` what is wrong with it? */
export function isEnvelopeProblem(data: unknown): data is { readonly envelope: unknown } {
  return typeof data === 'object' && data !== null && 'envelope' in data;
}

/** As an endpoint names them. */
function partsIn(envelope: unknown): readonly Part[] {
  const { missing, key, problem } = (envelope ?? {}) as { readonly [name: string]: unknown };
  const said = problem === undefined || problem === 'missing' ? undefined : String(problem);
  const keys = (Array.isArray(missing) ? missing : [key]).filter((name) => typeof name === 'string');
  return keys.map((name) => ({ key: name === '_meta' ? undefined : name, problem: said }));
}

/** On a connection, the SDK says what it expected, and not where. */
function wrongParts(meta: unknown): readonly Part[] {
  if (meta === undefined) return [{}];
  const { [PROTOCOL_VERSION_KEY]: version, [CLIENT_CAPABILITIES_KEY]: capabilities } = (meta ??
    {}) as Members;
  const info = (meta as Members | null)?.[CLIENT_INFO_KEY];
  const parts: Part[] = [];
  if (typeof version !== 'string') parts.push(part(PROTOCOL_VERSION_KEY, version, 'must be a string'));
  if (!isMembers(capabilities)) parts.push(part(CLIENT_CAPABILITIES_KEY, capabilities, 'must be an object'));
  if (info !== undefined && !isImplementation(info))
    parts.push(part(CLIENT_INFO_KEY, info, 'must be an object with a name and a version'));
  return parts.length === 0 ? [{ problem: 'has a member of another form than the protocol has' }] : parts;
}

type Members = { readonly [name: string]: unknown };

function part(key: string, value: unknown, problem: string): Part {
  return { key, problem: value === undefined ? undefined : problem };
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isImplementation(value: unknown): boolean {
  return isMembers(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}
