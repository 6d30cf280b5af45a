/** Answers to what opens a conversation, from something that does not speak the protocol: clients drop them, and wait. */
import type { FaultInit } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { locate } from '../framing/members.ts';
import { printable, withoutEscapes } from '../framing/printable.ts';
import { OPEN_OBJECT, skipSpace } from '../framing/scan.ts';
import { REPLAY_ID } from '../links/handshake.ts';
import { otherThanVersion2 } from './version.ts';

const SAID_AT_MOST = 200;

/** Why an answer to `initialize` opens nothing; `undefined` where it is a message of JSON-RPC 2.0 with an object for a result. */
export function wrongProtocol(answer: Buffer): FaultInit | undefined {
  const isVersion2 = otherThanVersion2(answer) === undefined;
  if (isVersion2 && hasObject(answer)) return undefined;
  return opensNothing(isVersion2 ? 'a result that is no object' : 'what is no JSON-RPC 2.0', answer);
}

/** What is told of an answer to `initialize` that opens nothing; `what`: in a few words, what came in its place. Who started a process knows more. */
export function opensNothing(what: string, answer: Buffer): FaultInit {
  // An id of the relay's own means nothing to whoever reads it.
  const start = answer.toString('utf8', 0, 4 * SAID_AT_MOST).replace(REPLAY_ID.toString(), '1');
  const said = printable(redact(withoutEscapes(start)).value, 4 * SAID_AT_MOST);
  return {
    kind: 'misconfigured',
    origin: 'upstream',
    executed: 'no',
    message: `The server answered \`initialize\` with ${what}: ${said.slice(0, SAID_AT_MOST)}`,
    advice: 'It does not speak MCP as it is addressed: correct its `url`, or update it.',
  };
}

function hasObject(answer: Buffer): boolean {
  const result = locate(answer, skipSpace(answer, 0), 'result');
  return result !== undefined && answer[result.start] === OPEN_OBJECT;
}
