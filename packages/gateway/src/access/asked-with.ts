/** The arguments that somebody consents to: told apart exactly, and shown without secrets. */
import { redact } from '@mayday/core/redact';
import { canonicalJson, sha256 } from '@mayday/policy';
import type { WireCall } from '@mayday/relay';
import { hasTwins } from './twins.ts';

/** What a call is asked with. */
export interface Asked {
  /** The same for the same arguments, whatever the order of their members. */
  readonly digest: string;
  /** As a person sees them. */
  readonly shown: unknown;
}

/** Arguments that nobody can consent to. */
interface Unclear {
  readonly kind: 'too_large' | 'invalid_arguments';
  readonly why: string;
}

/** Longer texts are cut where they are shown; what was left out still counts. */
export const MAX_TEXT = 2000;
/** Nobody reads more before they consent. */
const MAX_BYTES = 256 * 1024;

/** What a call is asked with, or why nobody can consent to that. */
export function askedWith({ body, peek }: WireCall): Asked | Unclear {
  const range = peek.deciding.arguments;
  if (range === undefined) return { digest: sha256(''), shown: undefined };
  const bytes = body.subarray(range.start, range.end);
  if (bytes.length > MAX_BYTES)
    return {
      kind: 'too_large',
      why: `its arguments are too large for a person to read: ${bytes.length} bytes, where ${MAX_BYTES} are allowed`,
    };
  if (hasTwins(bytes))
    return { kind: 'invalid_arguments', why: 'two members of its arguments have the same name' };
  return { digest: sha256(canonicalJson(exact(bytes))), shown: shown(bytes) };
}

/** Letters before them keep texts and the digits of numbers apart. */
function exact(bytes: Buffer): unknown {
  return parsed(
    bytes,
    (digits) => `n${digits}`,
    (text) => `s${text}`,
  );
}

/** A number that a parser would round is taken for its digits. */
function parsed(
  bytes: Buffer,
  ofDigits: (digits: string) => string,
  ofText: (text: string) => string,
): unknown {
  return JSON.parse(
    bytes.toString('utf8'),
    (_key, value: unknown, context?: { readonly source?: string }) => {
      if (typeof value === 'string') return ofText(value);
      if (typeof value !== 'number' || context?.source === undefined) return value;
      return String(value) === context.source ? value : ofDigits(context.source);
    },
  );
}

/** Cut last: what only a part is left of is no longer found to be a secret. */
function shown(bytes: Buffer): unknown {
  const clean = redact(
    parsed(
      bytes,
      (digits) => digits,
      (text) => text,
    ),
  ).value;
  return JSON.parse(JSON.stringify(clean), (_key, value: unknown) =>
    typeof value === 'string' && value.length > MAX_TEXT
      ? `${value.slice(0, MAX_TEXT)}… (${value.length} characters)`
      : value,
  );
}
