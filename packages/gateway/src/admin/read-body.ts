/** The body of a change, which every reader reads alike: UTF-8, JSON, and no field in it twice. */
import { isUtf8 } from 'node:buffer';
import type { Issue } from '@mayday/core';
import { decode, eachMember, skipSpace, textAt } from '@mayday/relay';
import type { DoorFault } from '../http/refusals.ts';
import { hereTwice, refusalOf } from './inputs.ts';
import { no } from './operation.ts';

/** What was sent, or why it cannot be read. Nothing is an empty object. */
export function readBody(bytes: Buffer): { readonly body: unknown } | { readonly refused: DoorFault } {
  if (bytes.length === 0) return { body: {} };
  const body = isUtf8(bytes) ? decode(bytes) : undefined;
  if (body === undefined) return { refused: NO_JSON };
  const refused = refusalOf(twice(bytes), 'field');
  return refused === undefined ? { body } : { refused };
}

const NO_JSON = no(400, { kind: 'parse_error', message: 'The request is no JSON' });

/** A parser keeps one of two, and not every parser the same. Fields are texts, numbers and lists: nothing is below them. */
function twice(bytes: Buffer): readonly Issue[] {
  const seen = new Set<string>();
  const again = new Set<string>();
  eachMember(bytes, skipSpace(bytes, 0), (start, end) => {
    const name = textAt(bytes, { start, end }) ?? '';
    (seen.has(name) ? again : seen).add(name);
  });
  return [...again].map((name) => hereTwice(name.slice(0, 100)));
}
