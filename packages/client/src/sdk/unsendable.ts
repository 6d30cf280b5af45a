/**
 * Arguments for which JSON has no form: a BigInt, a circle, what throws when it is read. Nothing of such a request is
 * written. It is looked for only where sending has failed, so that no request is written twice.
 */
import { type Fault, FaultError, makeFault } from '@mayday/core';

/**
 * The fault of a request that could not be written; `undefined` when it can be, and when something else was thrown: then
 * it was not the writing that has failed.
 */
export function unsendableIn(thrown: unknown, params: unknown): Fault | undefined {
  const error = errorOfWriting(params);
  if (error === undefined || !isAlike(error.thrown, thrown)) return undefined;
  const { path, why } = culpritIn(params, [], new Set()) ?? unfound(error.thrown);
  const [member, ...rest] = path;
  const isArgument = member === 'arguments' && rest.length > 0;
  const message = `Not sent: ${nameOf(path)} cannot be written as JSON: ${why}`;
  return makeFault({
    kind: 'invalid_arguments',
    origin: 'local',
    executed: 'no',
    message,
    issues: isArgument ? [{ path: rest.map(shortened), message: why, code: 'invalid_type' }] : [],
  });
}

/** Throws on what was thrown where a request was only looked at, as the fault that it is. */
export function notSendable(thrown: unknown, params: unknown): never {
  const fault = unsendableIn(thrown, params);
  throw fault === undefined ? thrown : new FaultError(fault, { cause: thrown });
}

/** The fault in what was thrown, for the input of a tool: all that a framework is given of its request. */
export function unsendableArguments(thrown: unknown, input: unknown): Fault | undefined {
  return unsendableIn(thrown, { arguments: input });
}

function errorOfWriting(params: unknown): { readonly thrown: unknown } | undefined {
  try {
    JSON.stringify(params);
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

/** Is it the same complaint, made again? Behind the first line engines tell the way to it, which depends on where it begins. */
function isAlike(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  try {
    return isObject(left) && isObject(right) && left.name === right.name && lineOf(left) === lineOf(right);
  } catch {
    return false; // it throws again when it is looked at
  }
}

function isObject(value: unknown): value is object & { readonly name?: unknown; readonly message?: unknown } {
  return typeof value === 'object' && value !== null;
}

function lineOf({ message }: { readonly message?: unknown }): string | undefined {
  return String(message).split('\n')[0];
}

type Path = readonly (string | number)[];

interface Culprit {
  readonly path: Path;
  readonly why: string;
}

/** Further down nobody looks: what is nested so deeply may itself be why. */
const MAX_DEPTH = 500;

/** The first thing that cannot be written, in the order of writing. */
function culpritIn(value: unknown, path: Path, above: Set<unknown>): Culprit | undefined {
  const key = String(path.at(-1) ?? '');
  let written = value;
  try {
    const toJSON: unknown =
      isObject(value) || typeof value === 'bigint' ? memberOf(value, 'toJSON') : undefined;
    if (typeof toJSON === 'function') written = toJSON.call(value, key);
  } catch {
    return { path, why: 'its toJSON throws an error' };
  }
  if (typeof written === 'bigint' || written instanceof BigInt)
    return { path, why: 'it is a BigInt; send it as a text' };
  if (!isObject(written)) return undefined;
  if (above.has(written)) return { path, why: 'it contains itself' };
  if (path.length > MAX_DEPTH) return undefined;
  above.add(written);
  const found = culpritAmong(written, path, above);
  above.delete(written);
  return found;
}

function culpritAmong(holder: object, path: Path, above: Set<unknown>): Culprit | undefined {
  let at = path;
  let doing = 'listing its members throws an error';
  try {
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      at = [...path, key];
      doing = 'reading it throws an error';
      const found = culpritIn(memberOf(holder, key), at, above);
      if (found !== undefined) return found;
    }
    return undefined;
  } catch {
    return { path: at, why: doing }; // its words are for whoever wrote it: they may be secrets
  }
}

function memberOf(holder: unknown, key: string | number): unknown {
  return (holder as { readonly [key: string | number]: unknown })[key];
}

function unfound(thrown: unknown): Culprit {
  const isTooMuch = thrown instanceof RangeError;
  return {
    path: ['arguments'],
    why: isTooMuch ? 'too large, or nested too deeply' : 'writing throws an error',
  };
}

const MAX_NAME = 100;

function shortened(name: string | number): string | number {
  return typeof name === 'string' ? name.slice(0, MAX_NAME) : name;
}

/** `a.b[0]` of the arguments; of anything else with its place in the parameters. */
function nameOf(path: Path): string {
  const [member, ...rest] = path;
  if (member === undefined) return 'the request';
  if (member !== 'arguments') return `the parameter \`${joined(path)}\``;
  return rest.length === 0 ? 'the arguments' : `the argument \`${joined(rest)}\``;
}

/** Deep inside, the way there is cut in the middle. */
const MAX_STEPS = 12;

function joined(path: Path): string {
  const half = MAX_STEPS / 2;
  const shown = path.length <= MAX_STEPS ? path : [...path.slice(0, half), '…', ...path.slice(-half)];
  return shown
    .map(shortened)
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
}
