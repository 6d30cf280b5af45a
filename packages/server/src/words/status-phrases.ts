/**
 * What HTTP calls its statuses, in small letters. Node has the same table in `node:http`, whose import loads a whole HTTP
 * client: twice the start of a small server.
 */
const STATUS_PHRASES: { readonly [status: string]: string } = {
  100: 'continue',
  101: 'switching protocols',
  102: 'processing',
  103: 'early hints',
  200: 'ok',
  201: 'created',
  202: 'accepted',
  203: 'non-authoritative information',
  204: 'no content',
  205: 'reset content',
  206: 'partial content',
  207: 'multi-status',
  208: 'already reported',
  226: 'im used',
  300: 'multiple choices',
  301: 'moved permanently',
  302: 'found',
  303: 'see other',
  304: 'not modified',
  305: 'use proxy',
  307: 'temporary redirect',
  308: 'permanent redirect',
  400: 'bad request',
  401: 'unauthorized',
  402: 'payment required',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  406: 'not acceptable',
  407: 'proxy authentication required',
  408: 'request timeout',
  409: 'conflict',
  410: 'gone',
  411: 'length required',
  412: 'precondition failed',
  413: 'payload too large',
  414: 'uri too long',
  415: 'unsupported media type',
  416: 'range not satisfiable',
  417: 'expectation failed',
  418: "i'm a teapot",
  421: 'misdirected request',
  422: 'unprocessable entity',
  423: 'locked',
  424: 'failed dependency',
  425: 'too early',
  426: 'upgrade required',
  428: 'precondition required',
  429: 'too many requests',
  431: 'request header fields too large',
  451: 'unavailable for legal reasons',
  500: 'internal server error',
  501: 'not implemented',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
  505: 'http version not supported',
  506: 'variant also negotiates',
  507: 'insufficient storage',
  508: 'loop detected',
  509: 'bandwidth limit exceeded',
  510: 'not extended',
  511: 'network authentication required',
};

const PHRASES: ReadonlySet<string> = new Set(Object.values(STATUS_PHRASES));

/** How axios, got, ky and others say that the status was not 2xx, and nothing else. */
const STATUS_SENTENCE =
  /^(?:(?:error|httperror|axioserror|\[\w+\] "[^"\n]{1,2000}"): ?)?(?:request failed with(?: http)? status(?: code)?|response (?:status )?code|http(?: error)?[:!]?(?: status:?)?|status(?: code)?:?)? ?(\d{3})\b(?: status code \(no body\)| ?\(?[a-z' -]{2,40}\)?)?(?:: (?:get|head|post|put|patch|delete|options) \S+)?[.!]?$/i;

/** Does a sentence say nothing but an HTTP status? */
export function isStatusAlone(text: string): boolean {
  if (PHRASES.has(text.toLowerCase().replace(/[.!]$/, '')) || /^http request failed$/i.test(text))
    return true;
  const said = STATUS_SENTENCE.exec(text);
  return said !== null && Object.hasOwn(STATUS_PHRASES, said[1] as string);
}

/** Does it say no more than that a request failed? `API error`, `API request failed: 404 Not Found`. */
export function isFailureAlone(text: string): boolean {
  return isStatusAlone(text) || (text.length <= LONGEST && saysOnlyThatItFailed(text.toLowerCase()));
}

const LONGEST = 100;

/** Words that tell of any request that failed. */
const ANY: ReadonlySet<string> = new Set(
  'api http rest graphql request response call error failed failure unsuccessful bad unexpected status code with returned responded replied answered got received from the a an was not ok'.split(
    ' ',
  ),
);

const FAILED =
  /\b(?:error|fail|unsuccessful|not ok)|\b(?:returned|responded|replied|answered|response|got|received)\b[^\n]{0,40}\b[45]\d\d\b/;

function saysOnlyThatItFailed(text: string): boolean {
  const words = text.match(/[a-z']+|[^\sa-z':.,()-]+/g) ?? [];
  const rest = words.filter((word) => !ANY.has(word) && !Object.hasOwn(STATUS_PHRASES, word));
  return FAILED.test(text) && (rest.length === 0 || isPhrase(text));
}

/** With what its status is called behind it. */
function isPhrase(text: string): boolean {
  const [before = '', phrase] = text.split(/ ?\b[345]\d\d\b[\s:(-]*/);
  return phrase !== undefined && PHRASES.has(phrase.replace(/[.!)]+$/, '')) && saysOnlyThatItFailed(before);
}
