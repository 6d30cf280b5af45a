/**
 * A credential that the tool itself takes, asked for by its name: `api_key is required`. Whoever calls can pass one, so the
 * sentence is the caller's, though nothing was sent by that name.
 */
import { isCredentialName } from '@mayday/core/redact';
import { quotesInterface } from './credentials.ts';
import { isRecord } from './look.ts';
import type { JsonSchema } from './tool-schema.ts';

/** What is known of a call. */
interface Call {
  readonly arguments?: unknown;
  readonly schema?: (() => JsonSchema | undefined) | undefined;
}

const LONGEST = 500;
const MOST_FIELDS = 100;

/** Does a sentence name a credential that the tool's schema, or an argument, has a field for? */
export function asksForCredential(message: string, call: Call): boolean {
  if (message.length > LONGEST || quotesInterface(message)) return false;
  const properties = call.schema?.()?.['properties'];
  const names = [properties, call.arguments].flatMap((one) => (isRecord(one) ? Object.keys(one) : []));
  return names
    .slice(0, MOST_FIELDS)
    .filter(isCredentialName)
    .some((name) => namesField(message, name));
}

/** Is it the field that is named, in any spelling, and not only what is put into it? */
function namesField(message: string, name: string): boolean {
  const words = name.match(/[A-Z]?[a-z\d]+|[A-Z\d]+/g);
  if (words === null) return false;
  const spelt = new RegExp(`(?<![\\w.-])${words.join('[ _-]?')}(?![\\w-])`, 'gi');
  return [...message.matchAll(spelt)].some(({ index, 0: found }) => {
    // Environment variables are written like this.
    if (/^[A-Z\d]+(?:_[A-Z\d]+)*$/.test(found)) return false;
    const before = message.slice(0, index);
    const after = message.slice(index + found.length);
    return /_|[a-z][A-Z]/.test(found) || (QUOTE.test(before) && QUOTED.test(after)) || isField(before, after);
  });
}

const QUOTE = /["'`]$/;
const QUOTED = /^["'`]/;

/** Is it called a field by the word beside it? */
function isField(before: string, after: string): boolean {
  return FIELD_BEFORE.test(before) || FIELD_AFTER.test(after);
}

const FIELD_BEFORE = /\b(?:argument|parameter|param|field|input)(?: named| called)?:? ["'`]?$/i;
const FIELD_AFTER = /^["'`]? (?:argument|parameter|param|field|input)\b/i;
