/** Which failures are the same one, met again. */
import { createHash } from 'node:crypto';
import type { Fault } from '@mayday/core';

/** Changes whenever the same failure gets another fingerprint: groups of two versions are never one. */
const VERSION = 1;

const LENGTH = 16;
const MAX_MESSAGE = 500;

/** What differs from one time to the next: what is quoted, ids, addresses, numbers. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/"[^"]{1,200}"|`[^`]{1,200}`|“[^”]{1,200}”|(?<=^|[\s(:=])'[^']{1,200}'(?=$|[\s).,;:])/g, '<text>'],
  [/\bhttps?:\/\/[^\s)>\]]+/gi, '<url>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b(?=[0-9a-z_-]*\d)[0-9a-z]+(?:[_-][0-9a-z]+)*\b/gi, '<id>'],
  [/\d+/g, '<n>'],
];

/** The message without what differs from one time to the next. */
export function messageTemplate(message: string): string {
  let template = message.slice(0, MAX_MESSAGE);
  for (const [what, name] of VARYING) template = template.replace(what, name);
  return template;
}

/** The same for failures of one kind, about one kind of thing, of one upstream, in the same words. */
export function faultFingerprint({ kind, subject, message }: Fault, upstream: string): string {
  const parts = [kind, subject?.type ?? '', upstream, messageTemplate(message)];
  return `${VERSION}.${createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, LENGTH)}`;
}
