/** Only JSON can be said: what is none must not leave whoever asked without an answer. */
import type { Refused } from './conversation.ts';

type Refuse = (refused: Refused) => object | undefined;

/** A result as it is; throws where it is no JSON. */
export function sayable(result: object): object {
  if (JSON.stringify(result) === undefined) throw new TypeError('The result is no JSON');
  return result;
}

/** The same refusals, but where one fails itself, or is no JSON: then it is an internal error and no more. */
export function refusing(refuse: Refuse): Refuse {
  return (refused) => {
    try {
      const answer = refuse(refused);
      return answer === undefined ? undefined : sayable(answer);
    } catch {
      return { jsonrpc: '2.0', id: refused.id, error: { code: -32603, message: 'Internal error' } };
    }
  };
}
