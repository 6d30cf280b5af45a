/** What the schemas of Effect find, in the form that Zod gives it: version 3 keeps it as a tree, 4 says it in words. */
import type { Complaint } from './complaint.ts';
import { isRecord, look } from './look.ts';
import { JSON_TYPES } from './proof.ts';

/** The complaints of a `ParseError` or a `SchemaError`; `undefined` when it is none. */
export function effectComplaints(reason: unknown): readonly Complaint[] | undefined {
  const tag = look(reason, '_tag');
  const issue = look(reason, 'issue');
  if (!isRecord(issue) || (tag !== 'ParseError' && tag !== 'SchemaError')) return undefined;
  const found =
    tag === 'ParseError' ? inTree(issue, [], look(issue, 'actual')) : inWords(look(reason, 'message'));
  return found.length === 0 ? [UNKNOWN] : found;
}

/** It is a validator's, and nobody knows of what. */
const UNKNOWN: Complaint = { path: [], message: 'not accepted', code: 'invalid_type' };

type Steps = readonly (string | number)[];
const DEEPEST = 20;
const MOST = 20;

function inTree(issue: unknown, path: Steps, whole: unknown, depth = DEEPEST): readonly Complaint[] {
  if (!isRecord(issue) || depth === 0) return [];
  const step = look(issue, 'path');
  const steps = (Array.isArray(step) ? step : step === undefined ? [] : [step]).map(stepOf);
  const at = [...path, ...steps];
  const inner = look(issue, 'issues') ?? look(issue, 'issue');
  if (isRecord(inner))
    return (Array.isArray(inner) ? inner.slice(0, MOST) : [inner]).flatMap((one) =>
      inTree(one, at, whole, depth - 1),
    );
  return [leafOf(issue, at, isRecord(whole) ? { value: whole } : undefined)];
}

function leafOf(issue: unknown, path: Steps, whole: Complaint['whole']): Complaint {
  const last = path[path.length - 1];
  if (look(issue, '_tag') === 'Missing') return { path, message: 'required', code: 'required', whole };
  if (look(issue, '_tag') === 'Unexpected' && last !== undefined)
    return {
      path: path.slice(0, -1),
      message: 'unexpected',
      code: 'unrecognized_keys',
      keys: [String(last)],
      whole,
    };
  const told = look(issue, 'message');
  const expected = nameOf(look(issue, 'ast'));
  const actual = look(issue, 'actual');
  const found = actual === undefined ? undefined : { value: actual };
  const message = typeof told === 'string' ? told : `Expected ${expected}`;
  if (JSON_TYPES.has(expected) && typeof told !== 'string')
    return { path, message, code: 'invalid_type', expected, whole, found };
  return { path, message, code: 'custom', whole, found };
}

function nameOf(ast: unknown): string {
  try {
    return String(ast).slice(0, LONGEST_NAME);
  } catch {
    return 'something else'; // whatever it is, it does not say
  }
}

const LONGEST_NAME = 200;

function stepOf(step: unknown): string | number {
  return typeof step === 'number' ? step : String(step);
}

const SAID = /^(\S[^\n]{0,300})\n {2}at ((?:\["[^"\n]{1,100}"\]|\[\d{1,6}\]){1,20})$/gm;
const BOUND = /^Expected a value (greater|less) than( or equal to)? (-?\d{1,15}(?:\.\d{1,15})?)$/;

function inWords(message: unknown): readonly Complaint[] {
  if (typeof message !== 'string') return [];
  return [...message.slice(0, LONGEST_SAID).matchAll(SAID)].slice(0, MOST).map(([, words = '', at = '']) => {
    const path = [...at.matchAll(/\["([^"\n]+)"\]|\[(\d+)\]/g)].map(
      ([, name, index]) => name ?? Number(index),
    );
    const [, type = ''] = /^Expected (\w+)$/.exec(words) ?? [];
    if (words === 'Missing key') return { path, message: 'required', code: 'required' };
    if (JSON_TYPES.has(type)) return { path, message: words, code: 'invalid_type', expected: type };
    const [, side, orEqual, limit] = BOUND.exec(words) ?? [];
    const inclusive = orEqual !== undefined;
    if (side === 'greater')
      return { path, message: words, code: 'too_small', minimum: Number(limit), inclusive };
    if (side === 'less') return { path, message: words, code: 'too_big', maximum: Number(limit), inclusive };
    return { path, message: words, code: 'custom' };
  });
}

const LONGEST_SAID = 10_000;
