/** What is said of a part of the input: nobody has looked for a thing then. */
import { formOf } from './forms.ts';

const NO_INPUT = /* @__PURE__ */ formOf(
  /(?:^|[:;.] )(?:the )?(?:(?:argument|attribute|field|operator|option|parameter|value) (?:name )?["'`]?[\w.$-]{1,60}["'`]?|property ["'`][\w.$-]{1,60}["'`]) (?:does not|doesn['’]t|do not|did not) exist\b(?! or you)|(?:^|: )(?:there is |there was )?no ["'`](?!\w{0,40}(?:key|token|secret|password|credentials?)["'`])[A-Za-z_$][\w.$[\]-]{0,60}["'`] (?:was |is |were )?(?:given|passed|provided|specified|supplied)\b/i,
);

/** The same as frameworks, compilers of schemas and databases have it. */
const OF_FRAMEWORKS = /* @__PURE__ */ formOf(
  new RegExp(
    [
      String.raw`\bproperty ["'\x60]?[\w.$-]{1,60}["'\x60]? should not exist\b`,
      String.raw`\brequired (?:[\w-]{1,20} ){1,3}["'\x60][\w.$-]{1,60}["'\x60] (?:for [^\n.]{1,80} )?is not present\b`,
      String.raw`\bargument ["'\x60][\w.$-]{1,60}["'\x60] is required, but no definition was found\b`,
      String.raw`\bfield ["'\x60][\w.$-]{1,60}["'\x60] is not defined (?:by|in|on) (?:input )?type\b`,
      String.raw`\bfield ["'\x60][\w.$-]{1,60}["'\x60] doesn't have a default value\b`,
      String.raw`\bfailed validating ["']\w{1,40}["'] in schema\b`,
      String.raw`\b(?:argument|field|option|parameter) ["'\x60][\w.$-]{1,60}["'\x60] (?:is )?not in (?:the )?allowed\b`,
      String.raw`\b(?:argument|option|parameter|setting) (?:must|should) be (?:an? |at (?:least|most) |between |greater |less |one of |positive)`,
      String.raw`(?<![\w"'\x60])(?:["'\x60][^"'\x60\n]{1,60}["'\x60]|[\w.$-]{1,60}) is(?: not an?|n't an?| no) (?:[a-z]{4,20} )?(?:argument|attribute|column|field|option|parameter|property)\b`,
      String.raw`\b(?:argument|attribute|field|option|parameter|property) ["'\x60]?[\w.$-]{1,60}["'\x60]? (?:is )?(?:not |un)(?:known|recogni[sz]ed)\b`,
      String.raw`\bcast to \w{1,30} failed for value\b`,
      String.raw`^(?:[\w ]{0,30}error: )?"[A-Za-z_][\w.[\]]{0,60}" is not allowed(?: to be empty)?\.?$`,
    ].join('|'),
    'i',
  ),
);

/** Is it a part of the input that does not exist, or was not given? Nobody has looked for a thing then. */
export function isOfInput(text: string): boolean {
  return NO_INPUT.test(text) || OF_FRAMEWORKS.test(text);
}
