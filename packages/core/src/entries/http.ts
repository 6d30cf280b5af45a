/** HTTP: statuses and kinds, and the waits that headers ask for. */
export { kindOfStatus, parseRetryAfter, STATUSES, statusOfKind, toSeconds } from '../http-status.ts';
