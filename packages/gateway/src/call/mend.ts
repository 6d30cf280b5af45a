/** What servers say beside their answers is read by models and people too: secrets are taken out of it. */
import { redact } from '@mayday/core/redact';
import { decode, encode, isMembers, peek } from '@mayday/relay';

/** Notifications that hold nothing but names that others know: changed, they would be about something else. */
const NAMES_ONLY: ReadonlySet<string> = new Set([
  'notifications/resources/updated',
  'notifications/subscriptions/acknowledged',
]);

/** The message as it came, or without what must not leave. */
export function mend(message: Buffer): Buffer {
  const { kind, method } = peek(message);
  if (kind === 'request' && method === 'elicitation/create') return mendQuestion(message);
  if (kind !== 'notification' || NAMES_ONLY.has(method)) return message;
  const { value, findings } = redact(decode(message));
  return findings.length === 0 ? message : encode(value);
}

/** A person reads the words of a question; its form and its address are for programs, and stay. */
function mendQuestion(message: Buffer): Buffer {
  const question = decode(message);
  const params = isMembers(question) ? question['params'] : undefined;
  if (!isMembers(question) || !isMembers(params)) return message;
  const { value, findings } = redact(params['message']);
  if (findings.length === 0) return message;
  return encode({ ...question, params: { ...params, message: value } });
}
