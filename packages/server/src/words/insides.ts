/** What libraries say of their own use, in words that sound like an order's or a document's: it is a mistake of the program. */
import { beginningOf } from '@mayday/core/redact';

/** To the letter. */
const SENTENCES: readonly RegExp[] = [
  // node-postgres.
  /(?:^|: )Release called on client which has already been released to the pool\b/,
  /(?:^|: )Client has already been connected\b/,
  /(?:^|: )(?:Cannot use a pool after calling end on the pool|Called end on pool more than once)\b/,
  // Node's HTTP, and Express on older ones.
  /(?:^|: )(?:Cannot|Can't) (?:set|remove|write|render|append) headers after they are sent\b/,
  // Mongoose.
  /(?:^|: )Schema hasn't been registered for model\b|(?:^|: )Cannot overwrite `\w{1,80}` model once compiled\b/,
  // Containers of dependencies.
  /(?:^|: )Nest (?:can't resolve dependencies|could not find|cannot create)\b|(?:^|: )No matching bindings found for serviceIdentifier\b/,
  // What a program has to call before something else of the same library.
  /\b(?:must|has to|have to|needs? to|should)(?: first)? (?:call|invoke) [`'"]?(?:\w+\.)?(?:connect|initiali[sz]e|init|open|start|setup|configure|register|load)\(\)/i,
  /(?:^|: )(?:Object|Context|Connection) (?:is|was|has) already (?:been )?disposed\b/i,
  /\bambiguous (?:bean|binding|provider|handler methods?|mapping|overload)\b/i,
];

/** The same of a thing with a name, which a caller may have asked for. */
const NAMED: readonly RegExp[] = [
  /(?:^|: )(Transaction) (?:(?:is |was |has been )?already (?:been )?(?:committed|rolled back)|query already complete)\b/i,
  /(?:^|: )(Transaction) (?:is |was |has |has been )?already (?:been )?(?:started|begun|open|active)\b/i,
  /(?:^|: )(?:\w+ )?(connection|pool|stream|socket|emitter|promise|cursor|response|server) (?:is |was |has |has been )?already (?:been )?(?:closed|destroyed|disposed|released|ended|resolved|settled|sent|listening|running on port \d+)\b/i,
  /(?:^|: )Template ["'`]?([\w./-]{1,100}\.(?:hbs|handlebars|ejs|pug|njk|mustache|liquid|twig|j2|jinja2?))["'`]? (?:was )?not found\b/i,
  /(?:^|: )Migration ["'`]?(\d[\w.-]{1,100})["'`]? (?:must|has to|needs to) be (?:run|applied)\b/i,
  /(?:^|: )Feature flag ["'`]?([\w.-]{1,100})["'`]? (?:must|has to|needs to) be (?:enabled|set|on)\b/i,
  /(?:^|: )Service ["'`]?([\w.-]{1,100})["'`]? (?:was )?not found in (?:the )?registry\b/i,
];

/** What is known of a call. */
interface Call {
  readonly arguments?: unknown;
  readonly deals?: (() => string) | undefined;
}

/** Is it about the inside of a library, and neither the tool nor an argument names it? */
export function isInsideLibrary(message: string, { arguments: args, deals }: Call): boolean {
  if (SENTENCES.some((sentence) => sentence.test(message))) return true;
  const named = NAMED.map((sentence) => sentence.exec(message)?.[1]).find((name) => name !== undefined);
  if (named === undefined) return false;
  const known = `${deals?.() ?? ''}${JSON.stringify(beginningOf(args)) ?? ''}`;
  return !known.toLowerCase().includes(named.toLowerCase());
}
