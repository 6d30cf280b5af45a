/**
 * What a field that is named like a credential should have been, in whatever words it is said: by a validator, a backend
 * or the author. Of types and lengths it may be told; the very value may not.
 */
import type { Issue } from '@mayday/core';
import { namesSecret } from './credentials.ts';
import { isMixed } from './named-secrets.ts';

/** Words of which one stands in every such name. */
const MAY_NAME =
  /pass|pw|secret|token|key|otp|pin|cred|auth|jwt|bearer|cookie|sig|hmac|salt|pepper|seed|mnemonic|cv[vc]|csc|session|sid|verifier|mfa|2fa|[cx]srf|hash|code|answer/i;

/** What says how a value has to be, and the value up to the end of the clause. */
const DEMAND =
  /(\b(?:(?:must|should|has to|have to|needs? to|to) (?:be|equal|match|start with|end with|contain|include|read)|expect(?:s|ed|ing)?|allowed(?: values?)?|wanted|one of|(?:is|was) (?:wrong|incorrect)\s{0,3}:|does(?: not|n't) (?:match|equal))(?: exactly| equal to| one of| to be| to equal| the| following| values?){0,4}[\s:=]{1,4})((?:["'`[(][^\n]{0,200}?["'`\])])|[^\n,;()"'`]{1,200}?)(?=[,;()]|[.!?](?:\s|$)|\s(?:but|got|received|instead)\b|\n|$)/gi;

/** All that a value may be, as a list of words. */
const CHOICES =
  /(\b(?:(?:allowed|valid|possible|permitted|accepted) (?:values|choices|options)(?: are)?|one of):? )((?:["'`]?[^\s"'`,;()[\]]{1,60}["'`]?(?:,? (?:or|and) |, )){1,30}["'`]?[^\s"'`,;()[\].]{1,60}["'`]?)/gi;

/** How long or of what kind a value has to be is no value. */
const HARMLESS =
  /^["'`[(]*(?:an? |at (?:least|most)\b|[<>≥≤]|longer\b|shorter\b|length\b|size\b|between\b|more\b|less\b|greater\b|fewer\b|(?:of )?(?:type|length)\b|(?:string|int|float|double|bool|bytes|date|datetime|id|json|url|email|number|boolean|integer|object|array|null|undefined|required|present|provided|set|sent|specified|changed|valid|different|unique|encoded|hashed|empty|non-?empty|given|supplied|included|renewed|reset|used|base64|hex|uuid|ascii|alphanumeric|numeric|unreadable)\b["'`\])]*\s*$|not\b|no\b|(?:exactly )?\d+ (?:characters?|chars?|digits?|letters?|bytes?|words?)\b|the same\b)/i;

/** The text without them; what the caller wrote itself stays. */
export function withoutExpected(text: string, own: readonly string[] = []): string {
  if (!MAY_NAME.test(text)) return text;
  const sent = new Set(own);
  const hidden = DEMANDING.test(text) ? hiddenIn(text, sent) : text;
  return withoutNamed(hidden, sent);
}

const DEMANDING =
  /\b(?:be|equal|match|with|contain|include|read|expect\w*|allowed|wanted|one of|wrong|incorrect)\b/i;

/** A line at a time: what one line names, the next one may still be about. */
function hiddenIn(text: string, sent: ReadonlySet<string>): string {
  let from = Number.POSITIVE_INFINITY;
  for (const { 0: word, index } of text.matchAll(/[\w-]{2,60}(?: (?:code|answer)\b)?/g)) {
    if (!namesSecret(word)) continue;
    from = index;
    break;
  }
  const hide = (whole: string, before: string, value: string, at: number): string => {
    const isTold = HARMLESS.test(value) || value.includes('[secret:');
    const isOver = from < at && !isTold && !sent.has(value.replace(/^\W+|\W+$/g, ''));
    return isOver ? `${before}[secret:1]${/\s*$/.exec(value)?.[0] ?? ''}` : whole;
  };
  return text.replace(CHOICES, hide).replace(DEMAND, hide);
}

/** `private_key x`, `2FA code x`: a word behind the name of a secret that is none of the language. */
function withoutNamed(text: string, sent: ReadonlySet<string>): string {
  const parts = text.split(/(\s+)/);
  const found = new Set<string>();
  for (let at = 2; at < parts.length; at += 2) {
    const value = (parts[at] ?? '').replace(/^\W+|\W+$/g, '');
    if (!isMixed(value) || sent.has(value)) continue;
    const name = (parts[at - 2] ?? '').replace(/^\W+|\W+$/g, '');
    if (namesSecret(name) || namesSecret(`${parts[at - 4] ?? ''} ${name}`.trim())) found.add(value);
  }
  // What one place gives away goes from the others too.
  let plain = text;
  for (const value of found) plain = plain.replaceAll(value, '[secret:1]');
  return plain;
}

/** An issue over such a field, without the value that it asks for. */
export function withoutDemand(issue: Issue, own: readonly string[] = []): Issue {
  const named = issue.path.some((step) => typeof step === 'string' && namesSecret(step));
  if (!named) return issue;
  // As if the field were named in front: then it is said of it.
  const label = 'password ';
  return { ...issue, message: withoutExpected(label + issue.message, own).slice(label.length) };
}
