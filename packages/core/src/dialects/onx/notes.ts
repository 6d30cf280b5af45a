import { type Notes, TOP } from '../notes.ts';

/** What the document asks of clients. */
const RETRY = 'Retry with exponential backoff and jitter';

const STEPS: { readonly [code: number | string]: readonly string[] } = {
  3001: [RETRY],
  3002: [RETRY],
  4001: [`Only where the answer itself says "retryable": true: ${RETRY.toLowerCase()}`],
  4002: [RETRY],
};

/** For the catalogue. */
export const notes: Notes = ({ code }) => (Number(code) < 0 ? TOP : { steps: STEPS[code] ?? [] });
