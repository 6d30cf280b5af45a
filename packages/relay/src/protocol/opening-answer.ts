/** Answers to what opens a conversation, from something that does not speak the protocol: clients drop them, and wait. */
import type { FaultInit } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { locate } from '../framing/members.ts';
import { printable } from '../framing/printable.ts';
import { skipSpace } from '../framing/scan.ts';

const VERSION = '"2.0"';
const SAID_AT_MOST = 200;

/** Why an answer to `initialize` opens nothing; `undefined` where it is a message of JSON-RPC 2.0. */
export function wrongProtocol(answer: Buffer): FaultInit | undefined {
  const version = locate(answer, skipSpace(answer, 0), 'jsonrpc');
  if (version !== undefined && answer.toString('latin1', version.start, version.end) === VERSION)
    return undefined;
  const said = redact(printable(answer.toString('utf8', 0, 4 * SAID_AT_MOST), 4 * SAID_AT_MOST)).value;
  return {
    kind: 'misconfigured',
    origin: 'upstream',
    executed: 'no',
    message: `The server answered \`initialize\` with what is no JSON-RPC 2.0: ${said.slice(0, SAID_AT_MOST)}`,
    advice:
      'It does not speak MCP as it was started or addressed: correct its command or `url`, or update it.',
  };
}
