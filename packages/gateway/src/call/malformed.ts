/** Requests that name nothing to call, or say it in a form that the protocol does not have: they are for no tool or prompt. */
import type { Fault, FaultInit, Issue } from '@mayday/core';
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
} from '@mayday/core/protocol';
import { isMembers, type Said } from '@mayday/relay';
import { isOfApi } from '../openapi/api-answer.ts';

type Params = { readonly [key: string]: unknown } | undefined;
type Expected = 'string' | 'record';
type Needed = { readonly [param: string]: Expected };

/** What the specification has in `params`, as far as somebody has to be found by it. */
const TEXT_NAME = { name: 'string' } as const;
const TEXT_URI = { uri: 'string' } as const;
const TASK = { taskId: 'string' } as const;
const NEEDED: { readonly [method: string]: Needed } = {
  'tools/call': TEXT_NAME,
  'prompts/get': TEXT_NAME,
  'resources/read': TEXT_URI,
  'resources/subscribe': TEXT_URI,
  'resources/unsubscribe': TEXT_URI,
  'completion/complete': { ref: 'record', argument: 'record' },
  'tasks/get': TASK,
  'tasks/result': TASK,
  'tasks/cancel': TASK,
  'tasks/update': TASK,
};

/** Methods that take arguments, which may be absent. */
const WITH_ARGUMENTS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

/** What a handshake has to say. */
const OPENING = { protocolVersion: 'string', capabilities: 'record', clientInfo: 'record' } as const;

/** The same of what nobody has to be found by: a server may take it all the same, and only one that did not is believed. */
export function misshapen(method: string, params: Params): FaultInit | undefined {
  if (method === 'initialize') return wrongWith([...unlike(OPENING, params), ...unlikeCapabilities(params)]);
  if (method === 'completion/complete')
    return malformed(method, params) ?? wrongWith(unlikeCompletion(params));
  const cursor = params?.['cursor'];
  if (!/\/list$/.test(method) || cursor === undefined) return malformed(method, params);
  return wrongWith(issueWith(['params', 'cursor'], cursor, 'string'));
}

/** What can be completed, and by what it is named. */
const REFERENCES: ReadonlyMap<unknown, string> = new Map([
  ['ref/prompt', 'name'],
  ['ref/resource', 'uri'],
]);

function unlikeCompletion(params: Params): readonly Issue[] {
  const { ref, argument } = params as { readonly [param: string]: { readonly [member: string]: unknown } };
  const named = REFERENCES.get(ref?.['type']);
  const path = ['params', 'ref'];
  const wrong: readonly Issue[] =
    named === undefined
      ? [{ path, message: 'Invalid input', code: 'invalid_type' }]
      : issueWith([...path, named], ref?.[named], 'string');
  const parts = ['name', 'value'].flatMap((part) =>
    issueWith(['params', 'argument', part], argument?.[part], 'string'),
  );
  return [...wrong, ...parts];
}

function unlikeCapabilities(params: Params): readonly Issue[] {
  return unlikeDeclared(['params', 'capabilities'], params?.['capabilities']);
}

function unlikeDeclared(path: readonly string[], declared: unknown): readonly Issue[] {
  if (!isMembers(declared)) return [];
  return Object.entries(declared).flatMap(([name, value]) => issueWith([...path, name], value, 'record'));
}

/** What a request of 2026-07-28 says of its client in another form than that revision has. Many servers never look at it. */
export function misdescribed(params: Params): FaultInit | undefined {
  const meta = params?.['_meta'];
  if (!isMembers(meta) || typeof meta[PROTOCOL_VERSION_KEY] !== 'string') return undefined;
  const { [CLIENT_INFO_KEY]: info, [LOG_LEVEL_KEY]: level } = meta;
  const at = (key: string): readonly string[] => ['params', '_meta', key];
  const issues = [...unlikeDeclared(at(CLIENT_CAPABILITIES_KEY), meta[CLIENT_CAPABILITIES_KEY])];
  if (info !== undefined && !isImplementation(info))
    issues.push({ path: at(CLIENT_INFO_KEY), message: NO_IMPLEMENTATION, code: 'invalid_type' });
  if (level !== undefined && !LEVELS.includes(level))
    issues.push({ path: at(LOG_LEVEL_KEY), message: NO_LEVEL, code: 'invalid_type' });
  return wrongWith(issues);
}

function isImplementation(info: unknown): boolean {
  return isMembers(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
}

const LEVELS: readonly unknown[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];
const NO_IMPLEMENTATION = 'must be an object with a name and a version';
const NO_LEVEL = `must be one of ${LEVELS.join(', ')}`;

/** What is wrong with the `params` of a request as such; `undefined` where they have the form of its method. */
export function malformed(method: string, params: Params): FaultInit | undefined {
  const needed = NEEDED[method] ?? (isOfTask(method, params) ? TASK : undefined);
  if (needed === undefined) return undefined;
  const issues = unlike(needed, params);
  const given = params?.['arguments'];
  if (WITH_ARGUMENTS.has(method) && given !== undefined)
    issues.push(...issueWith(['params', 'arguments'], given, 'record'));
  if (method === 'prompts/get' && isMembers(given))
    for (const [key, value] of Object.entries(given))
      issues.push(...issueWith(['params', 'arguments', key], value, 'string'));
  return wrongWith(issues);
}

/** A method of tasks that the specification does not have, about one of them. */
function isOfTask(method: string, params: Params): boolean {
  return method.startsWith('tasks/') && params?.['taskId'] !== undefined;
}

function unlike(needed: Needed, params: Params): Issue[] {
  return Object.entries(needed).flatMap(([param, expected]) =>
    issueWith(['params', param], params?.[param], expected),
  );
}

function wrongWith(issues: readonly Issue[]): FaultInit | undefined {
  if (issues.length === 0) return undefined;
  return {
    kind: 'invalid_arguments',
    origin: 'caller',
    executed: 'no',
    subject: OF_REQUEST,
    message: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    issues,
  };
}

const OF_REQUEST = { type: 'message' } as const;

/** Was the request itself not taken, by whoever speaks for the gateway? */
export function isMalformed({ kind, subject }: Fault, said: Said | undefined): boolean {
  const isOurs = said === undefined || (said.type === 'nothing' && !isOfApi(said));
  return isOurs && kind === 'invalid_arguments' && isOfRequest(subject);
}

function isOfRequest(subject: Fault['subject']): boolean {
  return subject?.type === OF_REQUEST.type || subject?.type === 'progress_token';
}

/** In the words of the validators that the SDKs have. */
function issueWith(path: readonly string[], value: unknown, expected: Expected): readonly Issue[] {
  if (expected === 'string' ? typeof value === 'string' : isMembers(value)) return [];
  const message = `Invalid input: expected ${expected}, received ${typeOf(value)}`;
  return [{ path, message, code: 'invalid_type' }];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
