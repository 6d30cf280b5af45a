/**
 * Fields, allowed values and suggestions stand in the text: most hosts never show a model the `data` of an error.
 */
import type { Fault } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import { namesIt, untold } from '@mayday/core/render';
import { isMembers, type Said } from '@mayday/relay';
import { type Cleaner, STANDARD } from './redaction.ts';

const MAX_DEPTH = 6;
const MAX_DETAILS = 40;
const MAX_LENGTH = 800;

/** The answer with what only the data of the error said, in its message. */
export function sayDetails(
  wire: JsonRpcWire,
  fault: Fault,
  said: Said | undefined,
  cleaner: Cleaner = STANDARD,
): JsonRpcWire {
  if (wire.error === undefined || said?.type !== 'message' || !isForCaller(fault)) return wire;
  return sayData(sayIssues(wire, fault), said, cleaner);
}

/** A sentence of one field is a sentence about that field, and there may be others. */
function sayIssues(wire: JsonRpcWire, { issues }: Fault): JsonRpcWire {
  if (wire.error === undefined) return wire;
  const told = wire.error.message;
  const ofFields = issues.filter(({ path }) => path.length > 0);
  const lines = untold(told, ofFields);
  if (lines.length === 0) return wire;
  const words = lines.join('; ');
  const isOne = ofFields.some(({ message }) => message === told);
  const message = isOne ? words : `${told.replace(/[.:;]\s*$/, '')} (${words})`;
  return { ...wire, error: { ...wire.error, message: message.slice(0, MAX_LENGTH + told.length) } };
}

function sayData(
  wire: JsonRpcWire,
  said: Extract<Said, { type: 'message' }>,
  { clean }: Cleaner,
): JsonRpcWire {
  if (wire.error === undefined) return wire;
  const error = isMembers(said.message) ? said.message['error'] : undefined;
  const data = isMembers(error) ? error['data'] : undefined;
  if (typeof data !== 'object' || data === null) return wire;
  const told = wire.error.message;
  const details = detailsOf(clean(data)).filter(({ value }) => !namesIt(told, value));
  if (details.length === 0) return wire;
  const words = details.map(({ name, value }) => (name === '' ? value : `${name}: ${value}`)).join('; ');
  const message = `${told.replace(/[.:;]\s*$/, '')} (${words.slice(0, MAX_LENGTH)})`;
  return { ...wire, error: { ...wire.error, message } };
}

/** What the caller cannot act on stays in the data, for those who can. */
function isForCaller({ reaction, kind }: Fault): boolean {
  return (
    reaction === 'validation' || reaction === 'permission' || kind === 'not_found' || kind === 'conflict'
  );
}

interface Detail {
  readonly name: string;
  readonly value: string;
}

/** Everything that is said somewhere in a value, under the name of the nearest member. */
function detailsOf(value: unknown, name = '', depth = 0): readonly Detail[] {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value).trim();
    return text === '' ? [] : [{ name, value: text }];
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number')) {
    const isPath = /path|loc/i.test(name);
    return value.length === 0 ? [] : [{ name, value: value.slice(0, MAX_DETAILS).join(isPath ? '.' : ', ') }];
  }
  const members = Array.isArray(value)
    ? value.map((item) => [name, item] as const)
    : Object.entries(value).filter(([key]) => !MACHINE.has(key));
  return members
    .slice(0, MAX_DETAILS)
    .flatMap(([key, member]) => detailsOf(member, Array.isArray(value) ? name : key, depth + 1))
    .slice(0, MAX_DETAILS);
}

/** Members that say nothing to a model. */
const MACHINE: ReadonlySet<string> = new Set([
  'code',
  'keyword',
  'type',
  'status',
  'schemaPath',
  'correlation_id',
]);
