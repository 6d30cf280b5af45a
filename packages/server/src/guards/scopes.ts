import { scopesCheck } from '@mayday/policy';
import type { Call } from '../call.ts';
import { expect, expectKnown, expectText, isPlainObject, isTexts } from '../options-check.ts';
import { type Guard, ofTools } from './guard.ts';
import { callOf, enforce, type RequestCall } from './request-call.ts';

/** Who may call which tool. */
export interface ScopesOptions {
  /** The scopes that a tool needs, all of them; or a function that says. Tools that are not named need none. */
  readonly required?:
    | { readonly [tool: string]: readonly string[] }
    | ((call: Call) => readonly string[])
    | undefined;
  /** Tools that nobody reaches this way. */
  readonly sensitive?: readonly string[] | undefined;
  /**
   * One answer, to the byte, whether a tool is unknown, disabled, sensitive or out of scope: nobody can find
   * out which tools there are; lists have only those that their caller may call. Without it, a missing scope is named.
   */
  readonly opaque?: boolean | undefined;
  /** What the caller of an unreachable tool is told. */
  readonly message?: string | undefined;
}

const OPTIONS = ['required', 'sensitive', 'opaque', 'message'];

/** Refuses calls without the tool's scopes with `forbidden`. */
export function scopes(options: ScopesOptions): Guard {
  expectKnown(options, OPTIONS, 'scopes');
  const { required, sensitive, opaque, message } = options;
  const isRequired =
    typeof required === 'function' ||
    (isPlainObject(required ?? {}) && Object.values(required ?? {}).every(isTexts));
  expect(isRequired, 'required', 'a list of scopes for each tool, or a function', required);
  expect(sensitive === undefined || isTexts(sensitive), 'sensitive', 'a list of tools', sensitive);
  expect([undefined, true, false].includes(opaque), 'opaque', 'true or false', opaque);
  expectText(message, 'message');
  const check = scopesCheck<RequestCall>({
    required: typeof required === 'function' ? ({ request }) => required(request) : required,
    sensitive,
    opaque,
    message,
    reach: ({ request: { tool } }) => (tool === undefined ? 'unknown' : tool.enabled ? 'known' : 'disabled'),
  });
  return ofTools({
    name: 'scopes',
    before: (request) => enforce(check, request),
    // Whoever is told that a tool is not there does not find it on a list.
    ...(opaque === true ? { hides: (request: Call) => check(callOf(request)) !== undefined } : {}),
  });
}
