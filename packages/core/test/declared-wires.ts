/** Answers that declare in a fault document that nothing was executed, with this and that beside it. */
import { read } from '../src/index.ts';

/** Members of something. */
export type Members = { readonly [member: string]: unknown };

/** A fault document as a server writes it that turns a call away. */
export function document(more: Members = {}): Members {
  return {
    kind: 'rate_limited',
    reaction: 'retryable',
    retryable: true,
    retry: { when: 'after_wait', after_ms: 5000 },
    executed: 'no',
    origin: 'server',
    message: 'Too many requests',
    ...more,
  };
}

/** A result with such a document, and with these members beside it, also in its `_meta`. */
export function refused(members: Members, fault: Members = {}, meta: Members = {}): object {
  const content = [{ type: 'text', text: 'Too many requests' }];
  const _meta = { ...meta, 'dev.mayday/fault': document(fault) };
  return { jsonrpc: '2.0', id: 1, result: { isError: true, content, ...members, _meta } };
}

/** The same with these texts for content. */
export function said(fault: Members = {}, ...texts: readonly string[]): object {
  return refused({ content: texts.map((text) => ({ type: 'text', text })) }, fault);
}

/** An error with such a document in its data, and with other members beside that. */
export function thrown(message: string, data: Members = {}, fault: Members = {}, code = -32_000): object {
  return { jsonrpc: '2.0', id: 1, error: { code, message, data: { ...data, ...document(fault) } } };
}

/** The same as a problem document over HTTP. */
export function problem(more: Members = {}, fault: Members = {}): object {
  const { message: detail, ...members } = document(fault);
  const type = 'https://mayday.dev/faults/rate_limited';
  const body = { type, title: 'Rate limited', status: 429, detail, ...members, ...more };
  return { http: { status: 429, headers: { 'content-type': 'application/problem+json' }, body } };
}

/** A message as it came over HTTP. */
export function under(status: number, headers: object, message: object): object {
  return { http: { status, headers, body: JSON.stringify(message) } };
}

/** Whether a call of `pay` was executed, by such an answer. */
export function executed(value: object): string {
  const reading = read(value, { called: { type: 'tool', id: 'pay' } });
  return reading.failure ? reading.fault.executed : 'success';
}
