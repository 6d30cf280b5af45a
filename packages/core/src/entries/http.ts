/** HTTP: statuses and kinds, the waits that headers ask for, sessions and endpoints that are gone, who sends a request, and what a page says. */
export { credentialsIn, isCredential, unclearIn } from '../credentials.ts';
export { kindOfStatus, parseRetryAfter, STATUSES, statusOfKind, toSeconds } from '../http-status.ts';
export { isMoveAlone } from '../moved.ts';
export { endpointGone } from '../no-endpoint.ts';
export { deniesSession, isUnderPlaceholder, mayDenySession, saysUnopened } from '../no-session.ts';
export { inOneLine, isPage, pageText } from '../page-text.ts';
