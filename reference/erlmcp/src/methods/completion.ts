/** `completion/complete`: values for an argument of a prompt or a variable of a template. */
import type { Members } from '@mayday/server/rpc';
import { cut, raise } from '../errors.ts';
import { isMembers } from '../params.ts';
import { PROMPTS } from '../prompts.ts';
import { reasonFor } from '../refusal.ts';
import { TEMPLATES } from '../resources/index.ts';
import { variablesOf } from '../uri.ts';
import type { Method, MethodContext } from './method.ts';

/** What can be completed: its name, its arguments, and their values. */
interface Completable {
  readonly id: string;
  readonly arguments: readonly string[];
  values(argument: string): readonly string[] | Promise<readonly string[]>;
}

const MAX_VALUES = 100;

/** Values that begin with what was typed so far. */
export const complete: Method = async (params, context) => {
  const target = resolve(params['ref'], context);
  const { name, value } = argumentOf(params['argument'], target);
  let values: readonly string[];
  try {
    values = await target.values(name);
  } catch (cause) {
    throw raise('completion_failed', { completionId: target.id, reason: reasonFor(cause) }, cause);
  }
  const fitting = values.filter((candidate) => candidate.startsWith(value));
  const total = fitting.length;
  return { completion: { values: fitting.slice(0, MAX_VALUES), total, hasMore: total > MAX_VALUES } };
};

function resolve(ref: unknown, context: MethodContext): Completable {
  if (ref === undefined) throw raise('invalid_params', { details: 'Missing required parameter: ref' });
  const found = isMembers(ref) ? (promptRef(ref, context) ?? templateRef(ref, context)) : undefined;
  if (found === undefined) throw raise('invalid_completion_reference', { reference: shape(ref) });
  if (typeof found === 'string') throw raise('completion_not_found', { completionId: cut(found) });
  return found;
}

/** The prompt that is meant; its name, when there is none; nothing, when no prompt is meant. */
function promptRef({ type, name }: Members, { app }: MethodContext): Completable | string | undefined {
  if (type !== 'ref/prompt' || typeof name !== 'string') return undefined;
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  if (prompt === undefined) return name;
  return {
    id: name,
    arguments: prompt.arguments.map((argument) => argument.name),
    values: (wanted) => prompt.arguments.find((argument) => argument.name === wanted)?.complete?.(app) ?? [],
  };
}

function templateRef({ type, uri }: Members, context: MethodContext): Completable | string | undefined {
  if (type !== 'ref/resource' || typeof uri !== 'string') return undefined;
  const template = TEMPLATES.find((candidate) => candidate.uriTemplate === uri);
  if (template === undefined) return uri;
  return {
    id: uri,
    arguments: variablesOf(uri),
    values: (wanted) => template.complete?.(wanted, context) ?? [],
  };
}

function argumentOf(argument: unknown, target: Completable): { name: string; value: string } {
  const refuse = (name: string, details: string): Error =>
    raise('invalid_completion_argument', { argument: cut(name), details });
  if (!isMembers(argument)) throw refuse('', 'argument must be an object');
  const { name, value } = argument;
  if (typeof name !== 'string') throw refuse('', 'argument.name must be a string');
  if (typeof value !== 'string') throw refuse(name, 'argument.value must be a string');
  if (!target.arguments.includes(name)) throw refuse(name, `${target.id} has no such argument`);
  return { name, value };
}

/** A reference is shown by its type alone: the rest may be of any size. */
function shape(ref: unknown): string {
  const type = isMembers(ref) ? ref['type'] : undefined;
  return typeof type === 'string' ? cut(type) : typeof ref;
}
