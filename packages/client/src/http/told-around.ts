/** What stands around a message in a response that is none of a failure's: its headers, and the words of its status line. */
import { read } from '@mayday/core';

/** A refusal that says nothing else: whatever is left in doubt then is so by what stands around it. */
const BARE = '{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found"}}';

/** As a `Response` has it, or with its headers as pairs. */
interface Head extends Pick<Response, 'status' | 'statusText'> {
  readonly headers: Headers | readonly (readonly [name: string, value: string])[];
}

/** Does it tell of more than the message, `X-Order-Id: 9` for example? Then the message refuses nothing. */
export function isToldAround({ status, statusText, headers }: Head): boolean {
  const reading = read({ http: { status, statusText, headers, body: BARE } });
  return !reading.failure || reading.fault.executed !== 'no';
}
