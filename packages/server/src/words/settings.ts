/**
 * Complaints of something that is missing or wrong, by its name: a setting, an environment variable, a field. What neither
 * the tool nor an argument names, no caller can send.
 */
import { beginningOf } from '@mayday/core/redact';
import { plainly } from './argument-of.ts';
import { type JsonSchema, namesIn } from './tool-schema.ts';

/** What is known of a call. */
interface Call {
  readonly arguments?: unknown;
  readonly schema?: (() => JsonSchema | undefined) | undefined;
  readonly deals?: (() => string) | undefined;
}

/** Whose it is that something is missing: a setting of the server's, or something inside of it. */
export type Lacks = 'misconfigured' | 'internal';

const NAME = '["\'`]?([A-Za-z_$][\\w$.]{1,80})["\'`]?';
const SORT =
  '(?:the )?(?:env(?:ironment)?(?: var(?:iable)?)?|option|setting|config(?:uration)?|field|property|parameter|param|argument|key)';

/** How programs say of one name that it is not as it has to be. */
const COMPLAINTS: readonly RegExp[] = [
  new RegExp(
    `(?:^|: )(?:${SORT} )?${NAME} (?:(?:is|was) (?:required|missing|not (?:set|provided|defined|configured|given))|must (?:be (?:set|provided|defined|configured|given|specified|an? valid [a-z]+)|have a value))[.!]?$`,
    'i',
  ),
  new RegExp(`(?:^|: )missing (?:required )?(?:${SORT}:? )?${NAME}[.!]?$`, 'i'),
];

const ENVIRONMENT = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;
/** Names of programs' things are made of several words; a word alone may mean anything. */
const MADE = /[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d]|\w\.\w/;
/** Words alone that clouds' libraries ask their program for. */
const CLOUDS = /^(?:region|endpoint)$/i;
/** Names that settings have. */
const SETTING =
  /(?:ur[il]|key|secret|token|host|region|endpoint|dsn|(?:client|project|tenant|account|app|application)_?id)$/i;
/** What libraries ask the program for that uses them, to the letter. */
const LIBRARIES =
  /(?:^|: )(?:supabase(?:url|key) is required|secretorp(?:rivate|ublic)key must have a value)[.!]?$/i;

/** Does it complain of something that only the server has? */
export function lacksOwn(message: string, call: Call): Lacks | undefined {
  const name = nameIn(message);
  if (name === undefined || isKnown(name, call)) return undefined;
  if (ENVIRONMENT.test(name) || LIBRARIES.test(message) || CLOUDS.test(name)) return 'misconfigured';
  if (!MADE.test(name) || namesIn(call.schema?.()) === undefined) return undefined;
  return SETTING.test(name) ? 'misconfigured' : 'internal';
}

function nameIn(message: string): string | undefined {
  for (const complaint of COMPLAINTS) {
    const name = complaint.exec(message)?.[1]?.replace(/\.$/, '');
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Any step of `customer.firstName` will do, and any spelling; `customerId` may be what is in `customer`. */
function isKnown(name: string, { arguments: args, schema, deals }: Call): boolean {
  const known = plainly(`${deals?.() ?? ''}${JSON.stringify(beginningOf(args)) ?? ''}`);
  const fields = [...(namesIn(schema?.()) ?? []), ...Object.keys(Object(args))].map(plainly);
  return name
    .split('.')
    .map(plainly)
    .some(
      (step) =>
        known.includes(step) ||
        fields.some((field) => field.length >= SHORTEST_FIELD && step.startsWith(field)),
    );
}

const SHORTEST_FIELD = 4;
