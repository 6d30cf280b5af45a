/**
 * Only JSON can be said: what is none must not leave whoever asked without an answer. To know it, an answer is made JSON
 * where it is given, and that is what goes on the wire.
 */
import { keepJson } from '../json-once.ts';
import type { RequestId } from '../shapes.ts';
import type { Refused } from './conversation.ts';

type Refuse = (refused: Refused) => object | undefined;

/** The answer with this result; throws where that is no JSON. */
export function answerWith(id: RequestId, result: object): object {
  const answer = Object.freeze({ jsonrpc: '2.0', id, result });
  keepJson(answer, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${asJson(result)}}`);
  return answer;
}

/** The same refusals, but where one fails itself, or is no JSON: then it is an internal error and no more. */
export function refusing(refuse: Refuse): Refuse {
  return (refused) => {
    try {
      const answer = refuse(refused);
      if (answer !== undefined) keepJson(answer, asJson(answer));
      return answer;
    } catch {
      return { jsonrpc: '2.0', id: refused.id, error: { code: -32603, message: 'Internal error' } };
    }
  };
}

function asJson(value: object): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError('The result is no JSON');
  return json;
}
