/** What an exception calls itself: the part of it that decides beside what the reader makes of it. */
import { isRecord, look } from './look.ts';

/** An exception's name, words and code. */
export interface Described {
  /** The name of its class; some libraries never set `name`. */
  readonly name: string;
  /** What it says, if it says anything in words. */
  readonly message: string;
  readonly code: unknown;
}

/** Describes anything that was thrown. Never throws, whatever its getters do. */
export function describe(reason: unknown): Described {
  if (typeof reason === 'string') return { name: 'string', message: reason, code: undefined };
  if (!isRecord(reason)) return { name: typeof reason, message: '', code: undefined };
  const name = text(look(reason, 'name'));
  const made = look(reason, 'constructor');
  return {
    name: name === 'Error' && typeof made === 'function' ? made.name : name,
    message: text(look(reason, 'message')),
    code: look(reason, 'code'),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
