/**
 * Where a fault goes out, decided once: as a JSON-RPC error, or as a tool result that the model reads. What
 * the request itself got wrong is a protocol error; what happened while a tool worked is a tool result.
 */

import type { WriteContext } from './dialects/dialect.ts';
import type { Fault } from './fault.ts';

/** Things of the protocol itself: not finding one of them, or not supporting it, is a protocol error. */
const PROTOCOL_SUBJECTS: ReadonlySet<string> = new Set([
  'tool',
  'resource',
  'resource_template',
  'prompt',
  'task',
  'session',
  'completion',
  'subscription',
  'cursor',
  'method',
  'protocol_version',
  'header',
  'capability',
  'progress_token',
  'uri',
]);

/** Subjects that only a request can name, so that any bad value for them is the request's fault. */
const REQUEST_SUBJECTS: ReadonlySet<string> = new Set([
  'cursor',
  'header',
  'progress_token',
  'protocol_version',
  'completion',
  'uri',
]);

/** The place of a fault under the specification's rules. */
export function placementFor(
  fault: Fault,
  context: Pick<WriteContext, 'method' | 'placement'>,
): 'protocol' | 'tool' {
  if (context.method !== undefined && context.method !== 'tools/call') return 'protocol';
  // A tool that says so was found, and has begun: its words are the model's to read, whatever they resemble.
  if (context.placement === 'tool') return 'tool';
  const { kind } = fault;
  if (kind === 'parse_error' || kind === 'invalid_request') return 'protocol';
  const subject = fault.subject?.type ?? '';
  if ((kind === 'not_found' || kind === 'unsupported') && PROTOCOL_SUBJECTS.has(subject)) return 'protocol';
  if ((kind === 'invalid_arguments' || kind === 'expired') && REQUEST_SUBJECTS.has(subject))
    return 'protocol';
  if (context.placement === 'protocol' && (kind === 'invalid_arguments' || kind === 'internal'))
    return 'protocol';
  return 'tool';
}
