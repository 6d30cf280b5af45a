/** What a framework refuses before a route runs: bodies that cannot be read, and input that breaks a schema. */
import { type FaultError, fault, type Issue } from '@mayday/core';
import { isRecord, look } from '../words/look.ts';

/** The refusal in an exception of a framework's own; `undefined` when a route threw it. */
export function refusalIn(reason: unknown): FaultError | undefined {
  return bodyRefusal(reason) ?? schemaRefusal(reason);
}

/** `body-parser` names its errors by `type`, Fastify by `code`. */
function bodyRefusal(reason: unknown): FaultError | undefined {
  const name = look(reason, 'type') ?? look(reason, 'code');
  const cause = reason;
  switch (name) {
    case 'entity.parse.failed':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return malformedBody(reason);
    case 'entity.too.large':
    case 'parameters.too.many':
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return fault.tooLarge('The request body is too large', { cause, details: limitOf(reason) });
    case 'charset.unsupported':
      return fault.unsupportedMedia('The charset of the request body is not supported', { cause });
    case 'encoding.unsupported':
      return fault.unsupportedMedia('The encoding of the request body is not supported', { cause });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fault.unsupportedMedia('The media type of the request body is not supported', { cause });
    case 'request.size.invalid':
    case 'request.aborted':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return fault.invalidRequest('The request body is not as long as it says', { cause });
    case 'entity.verify.failed':
      return fault.forbidden('The request body could not be verified', { cause });
    case undefined:
      return isUnnamedParser(reason) ? malformedBody(reason) : undefined;
    default:
      return look(reason, 'status') === 400 && UNPACKING.test(String(name)) ? packedBody(reason) : undefined;
  }
}

/** Fastify 3 and 4 give the parser's own error a status and no name; one that a route met has none. */
function isUnnamedParser(reason: unknown): boolean {
  return reason instanceof SyntaxError && look(reason, 'statusCode') === 400;
}

/** What zlib calls its errors. A parser adds the status; one that a route met has none. */
const UNPACKING = /^(?:Z_(?:DATA|BUF)_ERROR|ERR__ERROR_\w{1,60})$/;

function packedBody(cause: unknown): FaultError {
  return fault.parseError('The request body is not packed as its Content-Encoding says', {
    cause,
    executed: 'no',
  });
}

/** The fault of a body that is not JSON. */
export function malformedBody(cause: unknown): FaultError {
  return fault.parseError('The request body is not valid JSON', { cause, executed: 'no' });
}

function limitOf(reason: unknown): { readonly max_bytes: number } | undefined {
  const limit = look(reason, 'limit');
  return typeof limit === 'number' ? { max_bytes: limit } : undefined;
}

/** Fastify hands over what its validator found, in `validation`. */
function schemaRefusal(reason: unknown): FaultError | undefined {
  const found = look(reason, 'validation');
  if (!Array.isArray(found) || found.length === 0) return undefined;
  const issues = found.filter(isRecord).map(toIssue);
  const part = look(reason, 'validationContext');
  const where = typeof part === 'string' && /^\w{1,40}$/.test(part) ? part : 'request';
  const fields = issues.map(({ path }) => path.join('.')).filter((path) => path !== '');
  const about = fields.length === 0 ? '' : `: ${[...new Set(fields)].join(', ')}`;
  return fault.invalidArguments(`The ${where} breaks its schema${about}`, { cause: reason, issues });
}

/** Ajv's issue: a missing property is named in the parameters of the rule, not in the path. */
function toIssue(found: { readonly [key: string]: unknown }): Issue {
  const { instancePath, keyword, message, params } = found;
  const path = typeof instancePath === 'string' ? pointer(instancePath) : [];
  const missing = look(params, 'missingProperty') ?? look(params, 'additionalProperty');
  const says = typeof message === 'string' ? message : 'is wrong';
  const at = typeof missing === 'string' ? [...path, missing] : path;
  return typeof keyword === 'string'
    ? { path: at, message: says, code: keyword }
    : { path: at, message: says };
}

function pointer(text: string): readonly string[] {
  return text
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
