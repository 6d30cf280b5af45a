/** What the body of an answer says of single fields, and as a list. */
import type { Issue } from '@mayday/core';
import { look as lookAtWire } from '@mayday/core/dialects';
import { readUnstructured } from '@mayday/core/prose';
import { isRecord, lookOwn } from './look.ts';

/** What a body that stands by itself says of single fields, in whichever of the usual forms. */
export function issuesIn(body: unknown): readonly Issue[] {
  const heard = readUnstructured(lookAtWire({ http: { status: 400, headers: {}, body } }))?.issues ?? [];
  return heard.length > 0 ? heard : fieldsIn(body);
}

/** Where interfaces put several sentences: Nest, Rails, Jira. */
const LISTS = ['message', 'messages', 'errors', 'errorMessages', 'error', 'detail', 'details'] as const;

/** Several sentences under one name that is no field's. */
export function listed(body: unknown): string | undefined {
  const list = LISTS.map((name) => lookOwn(body, name)).find(isTexts);
  return list?.slice(0, MOST_FIELDS).join('; ');
}

/** A body that is nothing but fields with complaints, as Django has it. */
export function fieldsIn(body: unknown): readonly Issue[] {
  if (!isRecord(body) || Array.isArray(body) || listed(body) !== undefined) return [];
  const fields = Object.entries(body);
  const isComplaint = ([, said]: readonly [string, unknown]): boolean => isTexts(said);
  if (fields.length === 0 || fields.length > MOST_FIELDS || !fields.every(isComplaint)) return [];
  return fields.map(([field, said]) => ({ path: [field], message: (said as readonly string[]).join(' ') }));
}

const MOST_FIELDS = 20;

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
