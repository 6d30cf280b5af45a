import { isRecord, own, ownArray, ownInteger, ownString } from '../../json.ts';
import type { Wire } from '../../wire/wire.ts';
import { codes } from './codes.ts';

const UNAUTHORIZED = codes.find((row) => row.code === -32001)?.title ?? '';

/** A REST body with a status in `code`, a list of Zod issues beside its text, or its own -32001. */
export function recognise(wire: Wire): number {
  if (wire.error?.code === -32001 && wire.error.message.startsWith(UNAUTHORIZED)) return 0.95;
  if (wire.placement !== 'tool' || wire.error !== undefined) return 0;
  const status = ownInteger(wire.body, 'code');
  if (status !== undefined && status >= 300 && status < 600 && isBody(wire.body)) return 0.9;
  const issues = ownArray(own(wire.result, 'structuredContent'), 'issues');
  return issues !== undefined && own(issues[0], 'path') !== undefined && own(issues[0], 'code') !== undefined
    ? 0.8
    : 0;
}

const MEMBERS: ReadonlySet<string> = new Set(['code', 'error', 'details', 'errors']);

/** The document allows nothing beside its own members: whoever adds one speaks a form of their own. */
function isBody(body: unknown): boolean {
  return (
    isRecord(body) &&
    ownString(body, 'error') !== undefined &&
    Object.keys(body).every((name) => MEMBERS.has(name))
  );
}
