/** HTTP: statuses and kinds, the waits that headers ask for, and sessions and endpoints that are gone, and who sends a request. */
export { credentialsIn, isCredential } from '../credentials.ts';
export { kindOfStatus, parseRetryAfter, STATUSES, statusOfKind, toSeconds } from '../http-status.ts';
export { isMoveAlone } from '../moved.ts';
export { endpointGone } from '../no-endpoint.ts';
export { deniesSession } from '../no-session.ts';
