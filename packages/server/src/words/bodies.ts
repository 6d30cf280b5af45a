/** Where the errors of HTTP clients keep the body of the answer. */
import { look, lookOwn } from './look.ts';
import { bodyRead } from './unread.ts';

/** What may be the body, most likely first: the text that was read here, or whatever a client has put where bodies are. */
export function bodiesOf(reason: unknown): readonly unknown[] {
  const read = bodyRead(reason);
  if (read !== undefined) return [read];
  const response = look(reason, 'response');
  return [
    lookOwn(response, 'data'),
    lookOwn(response, 'body'),
    lookOwn(reason, 'body'),
    lookOwn(reason, 'data'),
  ];
}
