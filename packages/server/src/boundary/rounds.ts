/** Calls in several rounds: the server asks for input, and the client sends the call again, with the answers. */
import type { Message } from '../shapes.ts';

type Params = Message['params'];

/** What a request carries of an earlier round; nothing in the first one. */
export function roundIn(params: Params): NonNullable<Params> {
  const carried = ['inputResponses', 'requestState'].filter((name) => params?.[name] !== undefined);
  return Object.fromEntries(carried.map((name) => [name, params?.[name]]));
}

/** Was a part of the call done before this request? Then nobody who refuses this one can say that nothing happened. */
export function isLaterRound({ params }: Message): boolean {
  return params?.['inputResponses'] !== undefined || params?.['requestState'] !== undefined;
}
