/**
 * Failures whose subject sounds like another failure: a page about logins, a token that is a coin, a title in quotes.
 * The predicate decides. The second half was written before the rules and not looked at while they were made.
 */
import type { Kind } from '../kinds.ts';

/** A text, and what it is. */
export type Told = readonly [text: string, kind: Kind];

/** What rules were made with. */
export const SUBJECTS: readonly Told[] = [
  ['Token WETH not found', 'not_found'],
  ['Payment method card_7 not found', 'not_found'],
  ['Sign-in page not found', 'not_found'],
  ['Unknown host profile', 'not_found'],
  ['Throttling policy 3 overlaps with policy 9', 'conflict'],
  ['No message with subject "Payment required"', 'not_found'],
  ['Search for "connection refused" returned nothing', 'not_found'],
  ['No builds match status=500', 'not_found'],
  ['Label "unauthorized" does not exist', 'not_found'],
  ['Document "Forbidden words" has been deleted', 'not_found'],
  ['Password policy 12 does not exist', 'not_found'],
  ['Timeout setting not found', 'not_found'],
  ['Column rate_limit does not exist', 'not_found'],
  ['Quota rule 4 already exists', 'conflict'],
  ['Permission set editors not found', 'not_found'],
  ['API key label "ci" already exists', 'conflict'],
  ['Cancelled order 9 not found', 'not_found'],
  ['No page called "502 Bad Gateway"', 'not_found'],
  ['Branch feature/api-key-rotation not found', 'not_found'],
  ['Table login_failures does not exist', 'not_found'],
  ['Field api_key is required', 'invalid_arguments'],
  ['Invalid token address 0xdeadbeef', 'invalid_arguments'],
  ['Could not find page "Rate limits"', 'not_found'],
  ['The secret santa group 12 does not exist', 'not_found'],
  ['There is no project called "Unauthorized Access"', 'not_found'],
  ['No such label: forbidden', 'not_found'],
  ['Unknown timeout unit "fortnight"', 'not_found'],
];

/** What they were measured with. */
export const UNSEEN_SUBJECTS: readonly Told[] = [
  ['Token pair DAI/USDT does not exist', 'not_found'],
  ['Billing plan gold not found', 'not_found'],
  ['Login screen design not found', 'not_found'],
  ['Unknown host role', 'not_found'],
  ['Rate limit tier gold already exists', 'conflict'],
  ['Wiki page "504 Gateway Timeout" not found', 'not_found'],
  ['No ticket matches status=403', 'not_found'],
  ['Filter "overloaded" matched nothing', 'not_found'],
  ['Maintenance window mw_9 overlaps with mw_12', 'conflict'],
  ['Subscription plan silver not found', 'not_found'],
  ['No channel called "api-key-alerts"', 'not_found'],
  ['Deadline exceeded report for May not found', 'not_found'],
  ['Connection pool preset "large" does not exist', 'not_found'],
  ['Signature block 3 not found', 'not_found'],
  ['Authentication flow "sso" not found', 'not_found'],
  ['Playlist "Access denied" already exists', 'conflict'],
  ['Disk quota policy 2 does not exist', 'not_found'],
  ['Scope document 8 has been removed', 'not_found'],
  ['Shipping method express-2 not found', 'not_found'],
  ['File src/auth/token-store.ts does not exist', 'not_found'],
  ['Parameter session_token must be a string', 'invalid_arguments'],
  ['Unknown token symbol FOOCOIN', 'not_found'],
  ['Could not find a template named "Password reset"', 'not_found'],
  ['Invalid secret name: must match ^[a-z-]+$', 'invalid_arguments'],
];

/** What such rules must leave alone. */
export const HEADS: readonly Told[] = [
  ['API key not found', 'misconfigured'],
  ['No API key found', 'misconfigured'],
  ['API key for OpenAI not found', 'misconfigured'],
  ['Access token not found in the keychain', 'misconfigured'],
  ['OPENAI_API_KEY not found', 'misconfigured'],
  ['Environment variable GITHUB_TOKEN not found', 'misconfigured'],
  ['Could not find credentials', 'misconfigured'],
  ['Unknown host: db.example.com', 'unavailable'],
  ['Unknown host db.example.com', 'unavailable'],
  ['Tool login_user not found', 'not_found'],
  ['Method tools/foo not found', 'unsupported'],
  ['Rate limit exceeded for token abc', 'rate_limited'],
  ['Order not found: connection refused', 'unavailable'],
  ['Invalid token provided', 'unauthenticated'],
  ['Invalid API key: check your settings', 'unauthenticated'],
  ['Invalid token', 'unauthenticated'],
  ['Request failed with status code 429', 'rate_limited'],
  ['Login failed: user not found', 'unauthenticated'],
  ['Rate limit exceeded, token bucket not found', 'rate_limited'],
  ['Config file /etc/orders.yml not found', 'misconfigured'],
  ['"Too many requests"', 'rate_limited'],
  ['Error: "rate limit exceeded"', 'rate_limited'],
];
