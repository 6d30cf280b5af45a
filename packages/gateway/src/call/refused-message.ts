/**
 * A message that was sent as it should be, and that a server's HTTP turns away all the same. What the status says of a
 * request is said of the gateway's: whoever called has done nothing wrong. What a server of MCP answers in a message of
 * its own, and words about what the caller sent, keep their meaning.
 */
import { STATUS_CODES } from 'node:http';
import { type Fault, makeFault } from '@mayday/core';
import { decode, type Heard, hasRightTypes, isMembers, type SaidHttp, type WireCall } from '@mayday/relay';
import { misshapen } from './malformed.ts';

/** What was heard, said of whose request it was. */
export function ofWhoseRequest(call: WireCall, said: SaidHttp, heard: Heard): Heard {
  if (heard.dialect !== null || isMessage(said.body)) return heard;
  const { fault } = heard;
  if (fault.kind === 'too_large') return { ...heard, fault: { subject: { type: 'message' }, ...fault } };
  if (!isOfSending(call, said, heard) || misshapen(call.method, call.params()) !== undefined) return heard;
  const { executed, correlationId } = fault;
  const message = saysWhy(said, fault)
    ? fault.message
    : `The server refused the request without saying why (HTTP ${said.status})`;
  return {
    ...heard,
    fault: makeFault({ kind: 'internal', origin: 'server', message, executed, correlationId }),
  };
}

/** Whoever answers in a message has read the one that was sent. */
function isMessage(body: Buffer): boolean {
  const said = decode(body);
  return isMembers(said) && said['jsonrpc'] === '2.0';
}

/** Is it about how the message was sent, rather than about what the caller said in it? */
function isOfSending({ headers }: WireCall, said: SaidHttp, { fault, byStatus }: Heard): boolean {
  if (fault.issues.length > 0) return false;
  switch (fault.kind) {
    case 'parse_error':
    case 'invalid_request':
      return true;
    case 'invalid_arguments':
      return byStatus === true || !saysWhy(said, fault);
    case 'unsupported_media':
      return hasRightTypes(headers);
    default:
      return false;
  }
}

/** Are there words, and more of them than the name of the status? */
function saysWhy({ status, body }: SaidHttp, { message }: Fault): boolean {
  if (body.length === 0) return false;
  const words = message.replace(/^(?:HTTP )?\d{3}\b\W*/i, '').replace(/\W+$/, '');
  return words !== '' && words.toLowerCase() !== STATUS_CODES[status]?.toLowerCase();
}
