/** Parameters by name, as a method wants them. */
import type { Members } from '@mayday/server/rpc';
import { cut, raise } from './errors.ts';

/** Is it an object, and no list? */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of `params` that must be a string. */
export function requireString(params: Members, name: string): string {
  const value = params[name];
  if (value === undefined) throw raise('invalid_params', { details: `Missing required parameter: ${name}` });
  if (typeof value !== 'string')
    throw raise('invalid_params', { details: `Invalid parameter type: ${name} must be a string` });
  return value;
}

/** A member of `params` that must be an object, if it is there. */
export function optionalMembers(params: Members, name: string): Members {
  const value = params[name] ?? {};
  if (!isMembers(value))
    throw raise('invalid_params', { details: `Invalid parameter type: ${cut(name)} must be an object` });
  return value;
}
