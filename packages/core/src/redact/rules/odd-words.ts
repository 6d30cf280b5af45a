import { isIdentifier, isPlain } from '../looks.ts';

/** A code of an error, an algorithm, a number with its unit, a host, a login at one: what a sentence goes on with. */
const ELSE =
  /^[A-Z]{1,12}[-_]?\d{1,8}$|^(?:sha|md|aes|rsa|base|utf|ed|x)-?\d{1,5}$|^\d{1,6}\p{L}*$|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,12}$|^[\w.+-]+@[\w.-]+$/u;

/** Letters with digits or with signs between them: no word, and nothing that is quoted for other reasons. */
export function isOdd(value: string): boolean {
  return (
    value.length >= 6 &&
    /[A-Za-z]/.test(value) &&
    /\d|[!@#$%^&*+=~][A-Za-z]/.test(value) &&
    !/[\s[\]{}\\/]|^[a-z][a-z\d+.-]{1,20}:/i.test(value) &&
    !ELSE.test(value) &&
    !isPlain(value) &&
    !isIdentifier(value)
  );
}

/** What has identifiers that people quote to one another: behind such a word stands one, and no secret. */
export const OF_IDENTIFIERS: RegExp =
  /^(?:request|req|trace|span|correlation|order|ref|reference|ids?|[a-z]+[_-]?id|commit|sha\d{0,3}|fingerprint|kid|invoice|build|job|tracking|ticket|transaction|txn|etag|revision|rev|digest|checksum|code|errno|status|model|deployment|pod|batch|limit|count|budget|usage)s?$/i;
