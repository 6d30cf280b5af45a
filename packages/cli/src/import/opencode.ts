/** The entries of opencode, which has a form of its own: a command is a list with its arguments, the environment has another name. */

import type { TimeLimit } from './clients.ts';

/** How long it waits; of older versions for lists alone, so that this says nothing about calls. */
export const OPENCODE_LIMIT: TimeLimit = { unit: 'ms', usual: 5000 };

type Fields = { readonly [field: string]: unknown };

/** Is this the part of a file that holds servers in this form? Other clients have other things under the same name. */
export function isOpencode(held: unknown): held is Fields {
  if (typeof held !== 'object' || held === null || Array.isArray(held)) return false;
  return Object.values(held).some((entry: unknown) => isLocal(entry) || isRemote(entry));
}

function isLocal(entry: unknown): boolean {
  return typeOf(entry) === 'local' && Array.isArray((entry as Fields)['command']);
}

function isRemote(entry: unknown): boolean {
  return typeOf(entry) === 'remote' && typeof (entry as Fields)['url'] === 'string';
}

function typeOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null ? (entry as Fields)['type'] : undefined;
}

/** An entry in the form that most clients have. */
export function fromOpencode(entry: unknown): unknown {
  if (!isLocal(entry)) return entry;
  const { command, environment, ...others } = entry as Fields & { readonly command: readonly unknown[] };
  const [program, ...args] = command;
  return { ...others, command: program, args, ...(environment === undefined ? {} : { env: environment }) };
}

/** The same entry as opencode has it. */
export function toOpencode({ command, args, env, ...others }: Fields): Fields {
  const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])];
  return { ...others, type: 'local', command: words, ...(env === undefined ? {} : { environment: env }) };
}
