/** Whose form a JSON body has. It names the evidence; what the body says is read the same way. */
type Bag = { readonly [key: string]: unknown };

function bag(value: unknown): Bag {
  const item = Array.isArray(value) ? value[0] : value;
  return typeof item === 'object' && item !== null && !Array.isArray(item) ? (item as Bag) : {};
}

// Form: where the members stand (`.` the body, `error`, the first of `errors`, …), then the members that
// only this form has. The first that fits wins.
const FORMS = /* @__PURE__ */ `aws . __type
telegram . ok error_code
slack . ok error
atlassian . errorMessages
github . documentation_url
json-rpc . jsonrpc
ajv . instancePath
pydantic . loc msg
zod . code path message
notion . object status
problem . type title status
spring . timestamp status path
pydantic detail loc
fastapi . detail
elasticsearch error root_cause
google error code status
google error code errors
odata error innererror
odata error innerError
stripe error type param
anthropic . type error
openai error type message
graphql errors locations
graphql errors extensions
json-api errors source
json-api errors detail
ajv errors instancePath
zod errors code path
zod issues path
oauth . error error_description
nest . statusCode message
laravel . message errors
rails . errors
discord . message code
aws . Code Message
azure error code message
java . exception`
  .split('\n')
  .map((line) => line.split(' '));

/** Place and first member → the forms that start with them, in their order. */
const STARTS = /* @__PURE__ */ (() => {
  const starts = new Map<string, number[]>();
  FORMS.forEach(([, place, one], at) => {
    const key = `${place} ${one}`;
    starts.set(key, [...(starts.get(key) ?? []), at]);
  });
  return starts;
})();
const PLACES = ['error', 'errors', 'detail', 'issues'];

/** The name of the form: `google`, `aws`, `stripe`, `zod`, … or `json` when it is nobody's. */
export function vendorOf(body: unknown): string {
  const top = bag(body);
  let first = best(top, '.', FORMS.length);
  for (const place of PLACES) if (place in top) first = best(bag(top[place]), place, first);
  return FORMS[first]?.[0] ?? 'json';
}

/** The first form before `limit` whose members all stand here. */
function best(at: Bag, place: string, limit: number): number {
  let first = limit;
  for (const key of Object.keys(at).slice(0, 32))
    for (const form of STARTS.get(`${place} ${key}`) ?? [])
      if (form < first && (FORMS[form] ?? []).slice(2).every((member) => member in at)) first = form;
  return first;
}
