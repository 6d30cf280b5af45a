/**
 * Limits that no door of an MCP server has: those of a model, a vendor's interface or a client library. A server that
 * says one of these has asked somebody, so it had let the call in.
 */
import { isRecord } from './json.ts';
import type { Wire } from './wire/wire.ts';

const MAX_DEPTH = 8;

/** Doors name their members in small letters. `Message`, `ErrorCode` and `__type` are those of vendors. */
const OF_DOORS = /^[a-z]/;
/** A door turns one request away, for one reason. */
const OF_VENDORS: ReadonlySet<string> = new Set(['errors']);

/** Names of classes, as programs throw them: `ThrottlingException`, `RateLimitError`, `rate_limit_error`. */
const THROWN =
  /[a-z](?:Exception|Error)(?![a-z])|_(?:error|exception)(?![a-z])|_(?:ERROR|EXCEPTION)(?![A-Z])/;

/** How gRPC's clients and Google's interfaces call it. */
const OF_GRPC = /RESOURCE_EXHAUSTED/i;

/** JSON in the middle of words: somebody else's answer. */
const JSON_INSIDE = /[{[]\s*"|"\s*:/;

/** Elements of XML; pages of servers are made of these others. */
const XML =
  /<\/?(?!(?:a|address|article|b|body|br|center|code|div|em|footer|h[1-6]|head|header|hr|html|i|img|li|link|main|meta|ol|p|pre|section|small|span|strong|style|table|tbody|td|th|title|tr|tt|ul)\b)[a-z]/i;
const XML_CAPITAL = /<\/?[A-Z][a-z]/;

/** Where services explain their limits. */
const THEIR_PAGES =
  /^https?:\/\/(?:[\w-]+\.)*(?:airtable|anthropic|asana|atlassian|discord|dropbox|figma|github|gitlab|hubspot|intercom|linear|mailchimp|mailgun|microsoft|mistral|notion|openai|paypal|salesforce|sendgrid|sentry|shopify|slack|spotify|stripe|telegram|twilio|zendesk)\.(?:com|io|app|so|dev|org|ai)(?:[/?#:]|$)/i;

const FORMS: readonly RegExp[] = [THROWN, OF_GRPC, JSON_INSIDE, XML, XML_CAPITAL, THEIR_PAGES];

/** Is it plainly the limit of somebody whom the server asked? */
export function isLimitOfAnother({ http, body, error, text }: Wire): boolean {
  return [http?.said, http?.reason, body, error?.message, error?.data, text].some((said) =>
    isAnothers(said, MAX_DEPTH),
  );
}

function isAnothers(said: unknown, depth: number): boolean {
  if (typeof said === 'string') return speaksOfAnother(said);
  if (typeof said !== 'object' || said === null) return false;
  if (depth === 0) return true;
  if (Array.isArray(said)) return said.some((item) => isListed(item) || isAnothers(item, depth - 1));
  return (
    isEnvelope(said) ||
    isOfModels(said) ||
    isOfAzure(said) ||
    Object.entries(said).some(([name, member]) => isForeign(name) || isAnothers(member, depth - 1))
  );
}

/** One of several problems; messages of JSON-RPC may come in a list. */
function isListed(item: unknown): boolean {
  return isRecord(item) && !('jsonrpc' in item);
}

/** An error that is said to be one, as models' interfaces answer: `{ type: 'error', error: { … } }`. */
function isEnvelope(said: object): boolean {
  return isRecord(said) && said['type'] === 'error' && isRecord(said['error']);
}

/** The error of OpenAI's interface, and of those that follow it: which argument it is about, and a code in words. */
function isOfModels(said: object): boolean {
  return isRecord(said) && 'param' in said && typeof said['code'] === 'string';
}

/** Azure's names the status in the error, as a text. */
function isOfAzure(said: object): boolean {
  const error = isRecord(said) ? said['error'] : undefined;
  return isRecord(error) && error['code'] === '429';
}

function isForeign(name: string): boolean {
  return !OF_DOORS.test(name) || OF_VENDORS.has(name);
}

function speaksOfAnother(text: string): boolean {
  return FORMS.some((form) => form.test(text));
}
