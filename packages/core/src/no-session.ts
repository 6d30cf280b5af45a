/** What an HTTP server says to a request in a session that it does not know (any more), before anybody works on it. */
import { saysOnly, type Vocabulary, words } from './plain-words.ts';
import { tellsOfMore } from './refusal-words.ts';
import { look } from './wire/look.ts';

/** Words of which servers make the sentence that there is no such session. */
const NO_SESSION: Vocabulary = {
  words: words(
    `a again an and any bad been begin client closed could create does doesn't ended establish exist exists expired first for found
  gone has have header html id inactive initialization initialize initialized initializing invalid is it known longer mcp
  missing must nginx new no not or out please provided reinitialize request required rpc send server session sessionid sessions
  start terminated the this timed transport unable unknown valid was with without you your`,
  ),
};

/** Shorter ids, and those without a digit, may be words that mean something else. */
const TELLING = /^(?=.*\d)[\x21-\x7e]{4,1024}$/;

/** Nobody says at length that there is no such session. */
const MAX_BODY = 10_000;

/** An HTTP response, as it came. */
interface HttpSaid {
  readonly status: number;
  /** The words of the status line. */
  readonly statusText?: string | undefined;
  readonly headers?: unknown;
  readonly body: string;
  /** The id of the session in which it was asked, where it is known: an answer that names another one is about that. */
  readonly session?: string | undefined;
}

/**
 * Is this the plain answer to a request in a session that the server does not know? Under 404 it may go without words:
 * that is what the status means there. Whatever says more, of anything, is some other failure.
 */
export function deniesSession({ status, statusText, headers, body, session }: HttpSaid): boolean {
  if (status !== 404 && status !== 400) return false;
  const wire = look({ http: { status, statusText, headers, body: withoutId(body, session) } });
  if (wire.result !== undefined || (wire.error?.code ?? 0) === -32601 || wire.error?.code === -32603)
    return false;
  if (tellsOfMore(wire) || !saysOnly(wire, NO_SESSION)) return false;
  return status === 404 || /\bsession|not initiali[sz]ed/i.test(body);
}

/** The id of our own session says nothing beside that it is ours. */
function withoutId(body: string, session: string | undefined): string {
  if (session === undefined || !TELLING.test(session) || body.length > MAX_BODY) return body;
  return body
    .replaceAll(`'${session}'`, session)
    .split(session)
    .reduce((before, behind) => before + (isWhole(before, behind) ? 'session' : session) + behind);
}

/** Does what stands here go on neither before nor behind it? */
function isWhole(before: string, behind: string): boolean {
  return !/[\w.-]/.test(before.at(-1) ?? '') && !/^(?:[\w-]|\.\w)/.test(behind);
}
