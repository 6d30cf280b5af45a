import { BY_MESSAGE, type Notes } from '../notes.ts';

/** For the catalogue: codes of JSON-RPC's kind are told by the message and the members of `data`, refusals by their number. */
export const notes: Notes = ({ keys }) =>
  keys === undefined ? {} : { tell: [BY_MESSAGE, ...keys.map((key) => `data.${key}`)].join(', ') };
