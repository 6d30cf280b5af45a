/** What a backend answered, to the letter, where an HTTP client threw because of it. */
import type { Fault } from '@mayday/core';
import { redact, withPeople } from '@mayday/core/redact';
import type { Settings } from '../options.ts';
import { answerBehind, bodiesOf } from '../words/bodies.ts';
import { isRecord, look } from '../words/look.ts';

/** Does an exception tell of an HTTP answer that was no success? */
export function isOfBackend(reason: unknown): boolean {
  return backendStatus(reason) !== undefined;
}

/** The status of the HTTP answer that an exception tells of. */
export function backendStatus(reason: unknown): number | undefined {
  return answerBehind(reason)?.status;
}

const MOST_CAUSES = 4;
const LONGEST = 1024 * 1024;

/** The body behind such an exception, as text; `undefined` where the client kept none. */
export function backendBody(reason: unknown): string | undefined {
  let holder = reason;
  for (let depth = 0; depth <= MOST_CAUSES && isRecord(holder); depth += 1) {
    const body = bodyOf(holder);
    if (body !== undefined) return body.length <= LONGEST ? body : undefined;
    holder = look(holder, 'cause');
  }
  return undefined;
}

/** The body as text: as it came, or written again. */
function bodyOf(reason: unknown): string | undefined {
  for (const body of bodiesOf(reason)) {
    if (typeof body === 'string') return body;
    if (isPlain(body)) return written(body);
  }
  return undefined;
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function written(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined; // cyclic: it never came over a wire
  }
}

/** The fault with the body that it passes on, to the letter but for secrets; the people in it are its own business. */
export function withSafeBody(fault: Fault, { redaction }: Pick<Settings, 'redaction'>): Fault {
  const { native } = fault;
  if (native?.raw === undefined) return fault;
  const { value, findings } = redact(native, withPeople(redaction));
  return findings.length === 0 ? fault : { ...fault, native: value };
}
