/** Phrases by which several dialects describe where a code sits and what gives it away. */

/** Where JSON-RPC puts its errors. */
export const TOP_LEVEL = 'top-level error with code and message';

/** For codes that only their message tells from the others with the same number. */
export const BY_MESSAGE = 'the message to the letter';
