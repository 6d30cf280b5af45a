/** Does an answer say what JSON-RPC 2.0 wants of it? Clients drop one that does not without a word, and wait. */
import { eachMember, isKey } from '../framing/members.ts';
import { skipSpace } from '../framing/scan.ts';

/** How nearly all messages begin. */
const FIRST: Buffer = Buffer.from('{"jsonrpc":"2.0",');
const ERROR: Buffer = Buffer.from('"error"');

/** Why an answer that is no failure is no answer of JSON-RPC 2.0 either; `undefined` where it is one. */
export function otherThanVersion2(answer: Buffer): string | undefined {
  const saysVersion = startsWith(answer, FIRST);
  if (saysVersion && !answer.includes(ERROR)) return undefined;
  let isVersion2 = saysVersion;
  let hasError = false;
  eachMember(answer, skipSpace(answer, 0), (keyStart, keyEnd, start, end) => {
    if (isKey(answer, keyStart, keyEnd, 'jsonrpc')) isVersion2 = isKey(answer, start, end, '2.0');
    else if (isKey(answer, keyStart, keyEnd, 'error')) hasError = true;
  });
  if (!isVersion2) return 'its `jsonrpc` is not "2.0"';
  return hasError ? 'it has an `error` beside its result' : undefined;
}

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  for (let i = 0; i < beginning.length; i++) if (bytes[i] !== beginning[i]) return false;
  return true;
}
