import { BY_MESSAGE, type Notes, TOP_LEVEL } from '../notes.ts';

/** For the catalogue: what names each code is the members of its `data`, or the message where it has none. */
export const notes: Notes = ({ code, keys = [] }) => {
  const isJsonRpc = Number(code) <= -32600;
  const byData = keys.map((key) => `data.${key}`).join(', ');
  const tell = isJsonRpc ? 'nothing: JSON-RPC defines it, so any server may send it' : byData || BY_MESSAGE;
  return { shape: TOP_LEVEL, tell };
};
