/** What documents say of their codes beside what they mean. For the catalogue alone: who reads and writes does not ship it. */
import type { CodeRow } from './dialect.ts';

/** What there is to say of a row. */
export type Notes = (row: CodeRow) => Pick<CodeRow, 'steps' | 'shape' | 'tell'>;

/** Where JSON-RPC puts its errors. */
export const TOP_LEVEL = 'top-level error with code and message';

/** For codes that only their message tells from the others with the same number. */
export const BY_MESSAGE = 'the message to the letter';

/** Both, of the codes that dialects share with everybody. */
export const TOP: { readonly shape: string; readonly tell: string } = { shape: TOP_LEVEL, tell: BY_MESSAGE };
