/** Messages that only say that there is an error. */

const WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that some there has have had been was were is are it we you your our sorry oops ' +
    'error errors err failed failure failures fail fails failing exception exceptions problem problems fault issue ' +
    'occurred occured happened encountered raised thrown something went goes wrong unknown unexpected unspecified ' +
    'unhandled generic general custom server mcp rpc jsonrpc request call operation action command ' +
    'tool tools execution executing while during with in on of'
  ).split(' '),
);

/** An unknown error says nothing; an unknown tool does. */
const NAMED = /\b(?:unknown|unexpected)\s+(?:server|request|call|operation|action|command|tool)s?\b/i;

/** The words among them that say so; the others alone may tell how things are. */
const SAYS_SO =
  /\b(?:err|errors?|fail(?:s|ed|ing|ures?)?|exceptions?|problems?|faults?|issue|wrong|something|oops|sorry|unknown|unexpected|unspecified|unhandled|generic|general|custom)\b/i;

/** Longer texts say something. */
const MAX_LENGTH = 120;

/**
 * Does a message say nothing but that there is an error: "", "Error", "Something went wrong"? It adds nothing to
 * what a number or a status says.
 */
export function isVague(message: string): boolean {
  if (message.length > MAX_LENGTH) return false;
  if (/\d/.test(message) || NAMED.test(message)) return false;
  if (/\p{L}/u.test(message) && !SAYS_SO.test(message)) return false;
  return message.split(/[^\p{L}]+/u).every((word) => word === '' || WORDS.has(word.toLowerCase()));
}

/** What stands where a message was to be, and what other languages call an error. */
const EMPTY =
  /^[^\p{L}]*(?:n\/?a|null|undefined|none|nan|\[?object object|(?:ein |unbekannter |interner )*fehler(?: ist)?(?: aufgetreten)?|(?:une )?erreur(?: inconnue)?(?: est survenue| s'est produite)?|(?:(?:ha )?ocurri(?:ó|do)|se (?:ha )?produ(?:jo|cido)) un error|error desconocido|(?:ocorreu um )?erro(?: desconhecido)?|(?:si è verificato un )?errore(?: sconosciuto)?|エラー(?:が発生しました)?|(?:发生|未知|出现)?错误|出错了|오류(?:가 발생했습니다)?|(?:произошла |неизвестная )*ошибка)[^\p{L}]*$/iu;

/** Does a message leave it to the number beside it, which it may repeat, to say what went wrong? */
export function leavesToNumber(message: string, code: number): boolean {
  if (message.length > MAX_LENGTH) return false;
  const rest = message.replaceAll(String(code), '');
  return isVague(rest) || EMPTY.test(rest);
}
