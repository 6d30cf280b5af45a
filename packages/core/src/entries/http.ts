/** HTTP: statuses and kinds, the waits that headers ask for, and sessions that a server does not know. */
export { kindOfStatus, parseRetryAfter, STATUSES, statusOfKind, toSeconds } from '../http-status.ts';
export { deniesSession } from '../no-session.ts';
