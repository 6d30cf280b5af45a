/** What servers say beside their answers is read by models and people too: secrets are taken out of it. */
import { withTaskNames } from '@mayday/core/redact';
import { decode, encode, isMembers, type Members, peek, withFewTexts } from '@mayday/relay';
import { cleanStartOf } from '../clean-cut.ts';
import { STANDARD } from './redaction.ts';

/** An address to go to: whatever opens it stays. */
const ADDRESS = 'url';
/** Members that others know by every letter: names of what they are about. */
const EXACT: ReadonlySet<string> = new Set([
  'uri',
  'requestState',
  'elicitationId',
  'requestId',
  'progressToken',
  'taskId',
]);

/** Notifications that hold nothing but such names. */
const NAMES_ONLY = 'notifications/subscriptions/acknowledged';

/** The message as it came, or without what must not leave. */
export function mend(message: Buffer): Buffer {
  const { kind, method } = peek(message);
  if ((kind !== 'notification' && kind !== 'request') || method === NAMES_ONLY) return message;
  const whole = decode(message);
  if (!isMembers(whole)) return message;
  const said = withFewTexts(whole, message.length, { shorten: shortly, clean: withoutSecrets });
  const { params, ...frame } = said;
  const rest = isMembers(params) ? mendParams(params) : withoutSecrets(params);
  const kept = withoutSecrets(frame);
  if (said === whole && kept === frame && rest === params) return message;
  return encode(params === undefined ? kept : { ...kept, params: rest });
}

/** Of one text, so much is told beside an answer. */
const LONGEST = 256 * 1024;

function shortly(text: string): string {
  return cleanStartOf(text, LONGEST, withoutSecrets);
}

/** A value without its secrets; the same one where it holds none. */
export function withoutSecrets<T>(value: T): T {
  return STANDARD.clean(value);
}

/** What a server asks for or tells, without secrets; the same object where it holds none. */
export function mendParams(params: Members): Members {
  const exact: { [name: string]: unknown } = {};
  const words: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(params)) {
    if (name === ADDRESS && typeof value === 'string') exact[name] = STANDARD.cleanAddress(value);
    else (EXACT.has(name) ? exact : words)[name] = value;
  }
  const kept = withoutSecrets(words);
  const isSame = kept === words && (!(ADDRESS in exact) || exact[ADDRESS] === params[ADDRESS]);
  // Nothing else is taken as it was: the name of a member can be a secret, too.
  return isSame ? params : withTaskNames(params, { ...exact, ...kept });
}
